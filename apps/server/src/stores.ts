import type { Db } from './db/connect.ts'
import { accessStore } from './features/access/access-store.ts'
import { apiStore } from './features/apis/api-store.ts'
import { auditStore } from './features/audit/audit-store.ts'
import { endpointStore } from './features/endpoints/endpoint-store.ts'
import { roleStore } from './features/roles/role-store.ts'
import { runStore } from './features/runs/run-store.ts'
import { sessionStore } from './features/session/session-store.ts'
import { tokenStore } from './features/tokens/token-store.ts'
import { userStore } from './features/users/user-store.ts'
import type { Clock } from './kernel/clock.ts'

export type Stores = ReturnType<typeof createStores>

export function createStores(db: Db, clock: Clock) {
  return {
    access: accessStore(db),
    apis: apiStore(db),
    audit: auditStore(db, clock),
    endpoints: endpointStore(db),
    roles: roleStore(db),
    runs: runStore(db),
    sessions: sessionStore(db),
    tokens: tokenStore(db),
    users: userStore(db),
  }
}

/**
 * Runs the work in one transaction: all of it is committed or none. Only the stores handed over may
 * be touched inside: SQLite has one writer, and the outer ones would wait for it.
 */
export type InTransaction = <T>(work: (stores: Stores) => Promise<T>) => Promise<T>

export function inTransactionOn(db: Db, clock: Clock): InTransaction {
  return (work) => db.transaction().execute((transaction) => work(createStores(transaction, clock)))
}
