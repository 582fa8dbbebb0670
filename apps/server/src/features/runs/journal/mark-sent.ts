import { AppError } from '../../../kernel/app-error.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import { claimDocument } from '../ledger/document-ledger.ts'
import { settleDocument } from '../ledger/document-settlement.ts'
import { asker } from '../pending/asker.ts'
import type { SubmitEntry } from './submit-entry.ts'

/** Lines that are compared with the ledger at once. */
const comparedMax = 500

interface Marking {
  inTransaction: InTransaction
  entries: AsyncIterable<SubmitEntry>
  /** The owner of the attempts: this server. */
  owner: string
  now: () => string
}

/**
 * Enters each document that the journal knows as sent, and the database does not, as a run of which nothing is known
 * but that: its outcome is unknown, so healing asks, and no other run sends it. Returns how many are new.
 */
export async function markSent({ entries, ...marking }: Marking): Promise<number> {
  let marked = 0
  let waiting: SubmitEntry[] = []
  const compare = async () => {
    const found = waiting
    waiting = []
    const known = await marking.inTransaction(({ runs }) =>
      runs.listUuidsOf(found.map(({ attempt }) => attempt)),
    )
    for (const entry of found)
      if (known.get(entry.attempt) !== entry.uuid && (await markEntry(entry, marking))) marked++
  }
  for await (const entry of entries) {
    // Without a reference nobody could ask about it, and nothing could hold it back.
    if (entry.references.length === 0) continue
    waiting.push(entry)
    if (waiting.length >= comparedMax) await compare()
  }
  if (waiting.length > 0) await compare()
  return marked
}

/** False where the ledger holds every document of it already. */
async function markEntry(
  entry: SubmitEntry,
  { inTransaction, owner, now }: Omit<Marking, 'entries'>,
): Promise<boolean> {
  try {
    await inTransaction((stores) => enter(stores, entry, { owner, now: now() }))
    return true
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return false
  }
}

const message = 'Sent after the backup was made: the outcome is unknown.'

async function enter(
  stores: Stores,
  entry: SubmitEntry,
  { owner, now }: { owner: string; now: string },
): Promise<void> {
  const { runs } = stores
  const endpoint = await stores.endpoints.find(entry.endpoint)
  const ids = await runs.reserveIds(1)
  const [runId = 0, stepId = 0] = [ids.run[0], ids.run_step[0]]
  await runs.insertRun(runRowOf(entry, runId))
  await runs.insertSteps([
    {
      id: stepId,
      run_id: runId,
      position: entry.step,
      endpoint_id: entry.endpoint,
      endpoint_name: endpoint?.summary ?? '',
      effect: 'submit',
      state: 'unknown',
      uuid: entry.uuid,
      method: endpoint?.method_type.toUpperCase() ?? 'POST',
      url: '',
      headers: '{}',
      body: null,
      source_body: null,
      dependency_field: null,
      message,
      not_before: null,
      frozen_at: entry.at,
      reused_from: null,
      blocked_by: null,
    },
  ])
  await runs.insertAttempt({
    step_id: stepId,
    number: 1,
    kind: 'send',
    owner,
    started_at: entry.at,
    finished_at: now,
    outcome: 'crash',
    detail: message,
    user_id: null,
    user_name: asker.user.name,
    note: `Run ${entry.run} of then; SHA-256 of the body: ${entry.sha256}`,
  })
  for (const reference of entry.references.toSorted()) {
    await claimDocument(stores, {
      runId,
      position: entry.step,
      endpointId: entry.endpoint,
      ...(endpoint ? { apiId: endpoint.api_id } : {}),
      register: entry.register,
      isKept: true,
      kind: entry.kind,
      isTest: entry.test,
      reference,
      originalReference: null,
      now,
    })
  }
  await settleDocument(stores, {
    runId,
    position: entry.step,
    state: 'unknown',
    outcome: 'crash',
    settings: { authority_reference_path: '', qr_path: '' },
    now,
  })
}

const runRowOf = ({ run_kind, test, references, at, uuid }: SubmitEntry, id: number) => ({
  id,
  kind: run_kind,
  state: 'unknown' as const,
  is_test: test ? (1 as const) : (0 as const),
  reference: references[0] ?? null,
  user_id: asker.user.id,
  user_name: asker.user.name,
  request_id: uuid,
  created_at: at,
  finished_at: at,
  epoch: 1,
  unknown_since: at,
  found_in: 'journal' as const,
  heals: 1 as const,
  search_text: [...references, asker.user.name].join(' ').toLowerCase(),
})
