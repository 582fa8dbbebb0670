import { allOf } from './db/all-of.ts'
import type { Db } from './db/connect.ts'
import { repeatOnConflict } from './db/repeat-on-conflict.ts'
import { readTogether, transact, type OpenTransaction } from './db/transaction.ts'
import { accessStore } from './features/access/access-store.ts'
import { workflowAccessStore } from './features/access/workflow-access-store.ts'
import { apiStore } from './features/apis/api-store.ts'
import { auditStore } from './features/audit/audit-store.ts'
import { endpointStore } from './features/endpoints/endpoint-store.ts'
import { procedureStore } from './features/procedures/procedure-store.ts'
import { roleStore } from './features/roles/role-store.ts'
import { laneStore } from './features/lanes/lane-store.ts'
import { documentHistoryStore } from './features/documents/document-history-store.ts'
import { documentStore } from './features/documents/document-store.ts'
import { runHistoryStore } from './features/runs/history/run-history-store.ts'
import { runStore } from './features/runs/ledger/run-store.ts'
import { pollStore } from './features/runs/pending/poll-store.ts'
import { sessionStore } from './features/session/session-store.ts'
import { signInStore } from './features/sign-in/sign-in-store.ts'
import { tokenStore } from './features/tokens/token-store.ts'
import { trafficStore } from './features/traffic/traffic-store.ts'
import { userStore } from './features/users/user-store.ts'
import { workflowStore } from './features/workflows/definitions/workflow-store.ts'
import { batchStore } from './features/workflows/batches/batch-store.ts'
import { workflowRunStore } from './features/workflows/runs/workflow-run-store.ts'
import type { Caller } from './kernel/caller.ts'
import type { Clock } from './kernel/clock.ts'
import { revisionStore } from './publishing/revision-store.ts'

export type Stores = ReturnType<typeof createStores>

interface TransactionParts {
  /** Called when the work bumps the revision of the configuration. */
  onBump: () => void
  withCommit: OpenTransaction['withCommit']
}

const noTransaction: TransactionParts = {
  onBump: () => {},
  withCommit: () => {
    throw new Error('There is no transaction that could commit this.')
  },
}

export function createStores(
  db: Db,
  clock: Clock,
  { onBump, withCommit }: TransactionParts = noTransaction,
) {
  return {
    /** See `OpenTransaction`. */
    withCommit,
    access: accessStore(db),
    apis: apiStore(db),
    audit: auditStore(db, clock),
    batches: batchStore(db),
    documentHistory: documentHistoryStore(db),
    documents: documentStore(db),
    endpoints: endpointStore(db),
    lanes: laneStore(db, clock),
    polls: pollStore(db),
    procedures: procedureStore(db),
    revisions: revisionStore(db, onBump),
    roles: roleStore(db),
    runHistory: runHistoryStore(db),
    runs: runStore(db),
    sessions: sessionStore(db),
    signIns: signInStore(db),
    tokens: tokenStore(db),
    traffic: trafficStore(db),
    users: userStore(db),
    workflowAccess: workflowAccessStore(db),
    workflowRuns: workflowRunStore(db),
    workflows: workflowStore(db),
  }
}

/**
 * Runs the work in one transaction: all of it is committed or none. Only the stores handed over may
 * be touched inside: SQLite has one writer, and the outer ones would wait for it. The work is done
 * again where PostgreSQL ended it in favour of another transaction, so it may only write rows: no call
 * to the outside, and nothing in memory that a second time would not overwrite.
 *
 * A change that a user asked for names its caller. The transaction then begins with checking the
 * caller again: it throws a 401 or 403 if the session has ended or the permission is gone, and it brings
 * `caller` up to date. PostgreSQL locks the rows that were checked until the commit, so that a sign-out
 * or a demotion comes either before the change or after it.
 */
export type InTransaction = <T>(
  work: (stores: Stores, checked: Promise<void>) => Promise<T>,
  caller?: Caller,
  options?: TransactionOptions,
) => Promise<T>

interface TransactionOptions {
  /**
   * The work begins beside the check of the caller, which saves a round trip. It has to await
   * `checked` before it looks at the caller. Where the check fails, its error is the one thrown.
   */
  isCheckedBeside?: boolean
  /** Works that wait at the same time may share one commit: see `db/transaction.ts`. */
  sharesCommit?: boolean
}

/** Reads with stores that share round trips: see `db/transaction.ts`. */
export type ReadTogether = <T>(work: (stores: Stores) => Promise<T>) => Promise<T>

export const readTogetherOn =
  (db: Db, clock: Clock): ReadTogether =>
  (work) =>
    readTogether(db, (together) => work(createStores(together, clock)))

/** Checks a caller with the stores of a transaction: see `InTransaction`. */
type Judge = (stores: Stores, caller: Caller) => Promise<void>

interface TransactionHooks {
  publish?: () => Promise<void>
  /** Absent where there is no caller, as at the start. */
  judge?: Judge
}

/**
 * `publish` is awaited after the commit of a change of the configuration: the change is answered
 * when it is in force.
 */
export function inTransactionOn(
  db: Db,
  clock: Clock,
  { publish, judge }: TransactionHooks = {},
): InTransaction {
  return async (work, caller, { isCheckedBeside = false, sharesCommit = false } = {}) => {
    let isBumped = false
    const result = await repeatOnConflict(() => {
      isBumped = false
      const begin = async ({ db: transaction, withCommit }: OpenTransaction) => {
        const onBump = () => {
          isBumped = true
        }
        const stores = createStores(transaction, clock, { onBump, withCommit })
        const checked = (caller && judge?.(stores, caller)) ?? Promise.resolve()
        if (!isCheckedBeside) await checked
        const [, result] = await allOf([checked, work(stores, checked)])
        return result
      }
      return transact(db, begin, { sharesCommit })
    })
    if (isBumped) await publish?.()
    return result
  }
}
