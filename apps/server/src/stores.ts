import { backupStore } from './admin/backup/backup-store.ts'
import { allOf } from './db/all-of.ts'
import type { Db } from './db/connect.ts'
import { repeatOnConflict } from './db/transactions/repeat-on-conflict.ts'
import { readTogether, transact, type OpenTransaction } from './db/transactions/transaction.ts'
import { accessStore } from './features/access/access-store.ts'
import { workflowAccessStore } from './features/access/workflow-access-store.ts'
import { alarmChannelStore } from './features/alarms/alarm-channel-store.ts'
import { alarmRuleStore } from './features/alarms/alarm-rule-store.ts'
import { alarmStore } from './features/alarms/alarm-store.ts'
import { alarmSourceStore } from './features/alarms/sources/alarm-source-store.ts'
import { apiDraftStore } from './features/apis/drafts/api-draft-store.ts'
import { apiStore } from './features/apis/api-store.ts'
import { archivedRunStore } from './features/archive/readers/archived-run-store.ts'
import { archiveStore } from './features/archive/archive-store.ts'
import { auditStore, type OnRecord } from './features/audit/audit-store.ts'
import { consumerDocsStore } from './features/consumer-docs/consumer-docs-store.ts'
import { deletionStore } from './features/deletions/deletion-store.ts'
import { deliveryStore } from './features/deliveries/delivery-store.ts'
import { dutyStore } from './features/duties/duty-store.ts'
import { endpointStore } from './features/endpoints/endpoint-store.ts'
import { firstStepsStore } from './features/first-steps/first-steps-store.ts'
import { requestNamesStore } from './features/gateway-requests/request-names-store.ts'
import { homeStore } from './features/home/home-store.ts'
import { procedureStore } from './features/procedures/procedure-store.ts'
import { roleStore } from './features/roles/role-store.ts'
import { laneStore } from './features/lanes/lane-store.ts'
import { documentCountStore } from './features/documents/document-count-store.ts'
import { documentHistoryStore } from './features/documents/document-history-store.ts'
import { documentStore } from './features/documents/document-store.ts'
import { runHistoryStore } from './features/runs/history/run-history-store.ts'
import { runStore, type OnRunEnd, type VersionOfRun } from './features/runs/ledger/run-store.ts'
import { healingStore } from './features/runs/healing/healing-store.ts'
import { releaseStore } from './features/runs/release/release-store.ts'
import { pollStore } from './features/runs/pending/poll-store.ts'
import { passkeyStore } from './features/passkeys/passkey-store.ts'
import { passwordLinkStore } from './features/password-links/password-link-store.ts'
import { savedMappingStore } from './features/saved-mappings/saved-mapping-store.ts'
import { reconciliationStore } from './features/reconciliation/reconciliation-store.ts'
import { firingStore } from './features/schedules/firing-store.ts'
import { scheduleStore } from './features/schedules/schedule-store.ts'
import { searchHitStore } from './features/search/search-hit-store.ts'
import { searchStore } from './features/search/search-store.ts'
import { textIndexStore } from './features/search/text-index-store.ts'
import { heldPartsStore } from './features/installation-hold/held-parts-store.ts'
import { installationHoldStore } from './features/installation-hold/installation-hold-store.ts'
import { issuerStore } from './features/issuers/issuer-store.ts'
import { languageStore } from './features/session/language-store.ts'
import { loginFailureStore } from './features/session/login-failure-store.ts'
import { sessionStore } from './features/session/session-store.ts'
import { signInStore } from './features/sign-in/sign-in-store.ts'
import { signOnStore } from './features/sign-on/sign-on-store.ts'
import { adminTokenStore } from './features/tokens/admin-token-store.ts'
import { tokenStore } from './features/tokens/token-store.ts'
import { tokenUsageStore } from './features/tokens/token-usage-store.ts'
import { toolUsageStore } from './features/traffic/tool-usage-store.ts'
import { trafficStore } from './features/traffic/traffic-store.ts'
import { codeFailureStore } from './features/second-factor/code-failure-store.ts'
import { secondFactorStore } from './features/second-factor/second-factor-store.ts'
import { userStore } from './features/users/user-store.ts'
import { nodeStore } from './features/nodes/node-store.ts'
import { callbackStore } from './features/workflows/callbacks/callback-store.ts'
import { hookStore } from './features/workflows/hooks/hook-store.ts'
import { workflowStore } from './features/workflows/definitions/workflow-store.ts'
import { batchStore } from './features/workflows/batches/batch-store.ts'
import { workflowRunStore } from './features/workflows/runs/workflow-run-store.ts'
import type { Caller } from './kernel/caller.ts'
import type { Clock } from './kernel/clock.ts'
import { gatewayAccountStore } from './publishing/gateways/gateway-account-store.ts'
import { revisionStore } from './publishing/revision-store.ts'

interface StoreParts {
  db: Db
  clock: Clock
  /** Called when the work bumps the revision of the configuration. */
  onBump: () => void
  /** Called when a run gets a state in which it does not go on at once. */
  onEnd: OnRunEnd
  onRecord: OnRecord
}

const makers = {
  access: ({ db }: StoreParts) => accessStore(db),
  adminTokens: ({ db }: StoreParts) => adminTokenStore(db),
  alarmChannels: ({ db }: StoreParts) => alarmChannelStore(db),
  alarmRules: ({ db }: StoreParts) => alarmRuleStore(db),
  alarms: ({ db }: StoreParts) => alarmStore(db),
  alarmSources: ({ db }: StoreParts) => alarmSourceStore(db),
  apiDrafts: ({ db }: StoreParts) => apiDraftStore(db),
  apis: ({ db }: StoreParts) => apiStore(db),
  archive: ({ db }: StoreParts) => archiveStore(db),
  archivedRuns: ({ db }: StoreParts) => archivedRunStore(db),
  audit: ({ db, clock, onRecord }: StoreParts) => auditStore(db, clock, onRecord),
  backups: ({ db }: StoreParts) => backupStore(db),
  batches: ({ db }: StoreParts) => batchStore(db),
  callbacks: ({ db }: StoreParts) => callbackStore(db),
  codeFailures: ({ db }: StoreParts) => codeFailureStore(db),
  consumerDocs: ({ db }: StoreParts) => consumerDocsStore(db),
  deletions: ({ db, clock }: StoreParts) => deletionStore(db, clock),
  deliveries: ({ db, clock }: StoreParts) => deliveryStore(db, clock),
  documentCounts: ({ db }: StoreParts) => documentCountStore(db),
  documentHistory: ({ db }: StoreParts) => documentHistoryStore(db),
  documents: ({ db }: StoreParts) => documentStore(db),
  duties: ({ db }: StoreParts) => dutyStore(db),
  endpoints: ({ db }: StoreParts) => endpointStore(db),
  firstSteps: ({ db }: StoreParts) => firstStepsStore(db),
  gatewayAccounts: ({ db }: StoreParts) => gatewayAccountStore(db),
  home: ({ db }: StoreParts) => homeStore(db),
  hooks: ({ db }: StoreParts) => hookStore(db),
  heldParts: ({ db }: StoreParts) => heldPartsStore(db),
  installationHold: ({ db }: StoreParts) => installationHoldStore(db),
  issuers: ({ db }: StoreParts) => issuerStore(db),
  lanes: ({ db, clock }: StoreParts) => laneStore(db, clock),
  loginFailures: ({ db }: StoreParts) => loginFailureStore(db),
  nodes: ({ db }: StoreParts) => nodeStore(db),
  passkeys: ({ db }: StoreParts) => passkeyStore(db),
  passwordLinks: ({ db }: StoreParts) => passwordLinkStore(db),
  polls: ({ db }: StoreParts) => pollStore(db),
  healing: ({ db }: StoreParts) => healingStore(db),
  procedures: ({ db }: StoreParts) => procedureStore(db),
  reconciliations: ({ db }: StoreParts) => reconciliationStore(db),
  savedMappings: ({ db }: StoreParts) => savedMappingStore(db),
  revisions: ({ db, onBump }: StoreParts) => revisionStore(db, onBump),
  roles: ({ db }: StoreParts) => roleStore(db),
  runHistory: ({ db }: StoreParts) => runHistoryStore(db),
  runs: ({ db, onEnd }: StoreParts) => runStore(db, onEnd),
  scheduleFirings: ({ db }: StoreParts) => firingStore(db),
  schedules: ({ db }: StoreParts) => scheduleStore(db),
  search: ({ db }: StoreParts) => searchStore(db),
  searchHits: ({ db }: StoreParts) => searchHitStore(db),
  secondFactors: ({ db }: StoreParts) => secondFactorStore(db),
  sessions: ({ db }: StoreParts) => sessionStore(db),
  languages: ({ db }: StoreParts) => languageStore(db),
  signIns: ({ db }: StoreParts) => signInStore(db),
  signOn: ({ db }: StoreParts) => signOnStore(db),
  textIndex: ({ db }: StoreParts) => textIndexStore(db),
  tokens: ({ db }: StoreParts) => tokenStore(db),
  tokenUsage: ({ db }: StoreParts) => tokenUsageStore(db),
  toolUsage: ({ db }: StoreParts) => toolUsageStore(db),
  traffic: ({ db }: StoreParts) => trafficStore(db),
  releases: ({ db }: StoreParts) => releaseStore(db),
  requestNames: ({ db }: StoreParts) => requestNamesStore(db),
  users: ({ db }: StoreParts) => userStore(db),
  workflowAccess: ({ db }: StoreParts) => workflowAccessStore(db),
  workflowRuns: ({ db }: StoreParts) => workflowRunStore(db),
  workflows: ({ db }: StoreParts) => workflowStore(db),
}

type Makers = typeof makers

export type Stores = { readonly [Name in keyof Makers]: ReturnType<Makers[Name]> } & {
  /** See `OpenTransaction`. */
  readonly withCommit: OpenTransaction['withCommit']
}

/** Makes each store when it is first used: a transaction uses few of them. */
const onDemand = Object.defineProperties(
  {},
  Object.fromEntries(
    Object.entries(makers).map(([name, make]) => [
      name,
      {
        get(this: { parts: StoreParts }) {
          const value = make(this.parts)
          Object.defineProperty(this, name, { value })
          return value
        },
      },
    ]),
  ),
)

interface TransactionParts extends Pick<StoreParts, 'onBump' | 'onEnd' | 'onRecord'> {
  withCommit: OpenTransaction['withCommit']
}

const noTransaction: TransactionParts = {
  onBump: () => {},
  onEnd: () => {},
  onRecord: () => {},
  withCommit: () => {
    throw new Error('There is no transaction that could commit this.')
  },
}

export function createStores(
  db: Db,
  clock: Clock,
  { withCommit, ...hooks }: TransactionParts = noTransaction,
): Stores {
  const own = { parts: { db, clock, ...hooks }, withCommit }
  return Object.assign(Object.create(onDemand) as Stores, own)
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
  /** Works that wait at the same time may share one commit: see `db/transactions/transaction.ts`. */
  sharesCommit?: boolean
}

/** Reads with stores that share round trips: see `db/transactions/transaction.ts`. */
export type ReadTogether = <T>(work: (stores: Stores) => Promise<T>) => Promise<T>

export const readTogetherOn =
  (db: Db, clock: Clock): ReadTogether =>
  (work) =>
    readTogether(db, (together) => work(createStores(together, clock)))

/** Checks a caller with the stores of a transaction: see `InTransaction`. */
type Judge = (stores: Stores, caller: Caller) => Promise<void>

/** Runs that a transaction has ended or settled, and the versions that they carry out. */
export type EndedRuns = ReadonlyMap<number, VersionOfRun>

/** What the audit trail got, and by whom. */
export interface RecordedEvent {
  by: Parameters<OnRecord>[0]
  entry: Parameters<OnRecord>[1]
}

interface TransactionHooks {
  /** Called in the transaction, after its work, where runs of workflows have ended. */
  report?: (stores: Stores, ended: EndedRuns) => Promise<void>
  publish?: () => Promise<void>
  /** Called after the commit, with what the audit trail got. */
  tell?: (events: readonly RecordedEvent[]) => void
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
  { publish, judge, report, tell }: TransactionHooks = {},
): InTransaction {
  return async (work, caller, { isCheckedBeside = false, sharesCommit = false } = {}) => {
    let isBumped = false
    let events: RecordedEvent[] = []
    const result = await repeatOnConflict(() => {
      isBumped = false
      events = []
      const begin = async ({ db: transaction, withCommit }: OpenTransaction) => {
        const onBump = () => {
          isBumped = true
        }
        const ended = new Map<number, VersionOfRun>()
        const onEnd: OnRunEnd = (id, of) => void ended.set(id, of)
        const onRecord: OnRecord = (by, entry) => void events.push({ by, entry })
        const stores = createStores(transaction, clock, { onBump, onEnd, onRecord, withCommit })
        const checked = (caller && judge?.(stores, caller)) ?? Promise.resolve()
        if (!isCheckedBeside) await checked
        const [, result] = await allOf([checked, work(stores, checked)])
        if (ended.size > 0) await report?.(stores, ended)
        return result
      }
      const isChange = caller !== undefined && !sharesCommit
      return transact(db, begin, { sharesCommit, isChange })
    })
    if (events.length > 0) tell?.(events)
    if (isBumped) await publish?.()
    return result
  }
}
