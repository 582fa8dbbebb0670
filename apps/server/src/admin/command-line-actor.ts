import { randomUUID } from 'node:crypto'
import type { AuditAction } from '@gatehouse/contract'
import type { Db } from '../db/connect.ts'
import { auditStore, type AnonymousActor } from '../features/audit/audit-store.ts'
import type { Clock } from '../kernel/clock.ts'

/** Who acted, in the audit trail: somebody with the account and the key of the server. */
export const commandLine = (): AnonymousActor => ({
  requestId: randomUUID(),
  address: '',
  name: 'command line',
})

interface Act {
  action: Extract<AuditAction, `installation.${string}` | `gateway_account.${string}`>
  /** What it was done with: a file, a database, an account. */
  name: string
  after?: object
}

/** Leaves what a command has done in the audit trail of the database. */
export const recordAct = (db: Db, clock: Clock, act: Act): Promise<void> =>
  auditStore(db, clock).record(commandLine(), { thing: 'installation', ...act })
