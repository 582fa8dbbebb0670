import type { Db } from './db/connect.ts'
import { apiStore } from './features/apis/api-store.ts'
import { endpointStore } from './features/endpoints/endpoint-store.ts'
import { runStore } from './features/runs/run-store.ts'
import { sessionStore } from './features/session/session-store.ts'
import { userStore } from './features/session/user-store.ts'

export type Stores = ReturnType<typeof createStores>

export function createStores(db: Db) {
  return {
    apis: apiStore(db),
    endpoints: endpointStore(db),
    runs: runStore(db),
    sessions: sessionStore(db),
    users: userStore(db),
  }
}

/**
 * Runs the work in one transaction: all of it is committed or none. Only the stores handed over may
 * be touched inside: SQLite has one writer, and the outer ones would wait for it.
 */
export type InTransaction = <T>(work: (stores: Stores) => Promise<T>) => Promise<T>

export function inTransactionOn(db: Db): InTransaction {
  return (work) => db.transaction().execute((transaction) => work(createStores(transaction)))
}
