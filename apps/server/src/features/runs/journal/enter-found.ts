import type { Stores } from '../../../stores.ts'
import { claimDocument } from '../ledger/documents/document-ledger.ts'
import { settleDocument } from '../ledger/documents/document-settlement.ts'
import { asker } from '../pending/asker.ts'
import type { SubmitEntry } from './submit-entry.ts'

interface Entering {
  /** The owner of the attempt: this server. */
  owner: string
  now: string
  /** The authority has it. Absent: the outcome is unknown. */
  received?: { authorityReference: string | undefined } | undefined
}

/** Of a run that was carried out elsewhere or before. */
export type Found = Omit<SubmitEntry, 'attempt'>

export const sentAfterWords = 'Sent after the backup was made: the outcome is unknown.'
const receivedWords = 'Found at the authority after a restore.'

/**
 * Enters a run of which nothing is known but that its documents were sent. Returns its id. Throws an AppError, and has
 * written something by then, where another run holds one of them.
 */
export async function enterFound(
  stores: Stores,
  found: Found,
  { owner, now, received }: Entering,
): Promise<number> {
  const { runs } = stores
  const state = received ? 'succeeded' : 'unknown'
  const message = received ? receivedWords : sentAfterWords
  const endpoint = await stores.endpoints.find(found.endpoint)
  const ids = await runs.reserveIds(1)
  const [runId = 0, stepId = 0] = [ids.run[0], ids.run_step[0]]
  await runs.insertRun({
    ...runRowOf(found, runId),
    state,
    unknown_since: received ? null : found.at,
    found_in: received ? 'authority' : 'journal',
  })
  await runs.insertSteps([
    {
      id: stepId,
      run_id: runId,
      position: found.step,
      endpoint_id: found.endpoint,
      endpoint_name: endpoint?.summary ?? '',
      effect: 'submit',
      state,
      uuid: found.uuid,
      method: endpoint?.method_type.toUpperCase() ?? 'POST',
      url: '',
      headers: '{}',
      body: null,
      source_body: null,
      dependency_field: null,
      message,
      not_before: null,
      frozen_at: found.at,
      reused_from: null,
      blocked_by: null,
    },
  ])
  await runs.insertAttempt({
    step_id: stepId,
    number: 1,
    ...(received
      ? { kind: 'status_query', verdict: 'received', has_settled: 1 }
      : { kind: 'send', outcome: 'crash' }),
    owner,
    started_at: found.at,
    finished_at: now,
    detail: message,
    user_id: null,
    user_name: asker.user.name,
    note: received ? null : `Run ${found.run} of then; SHA-256 of the body: ${found.sha256}`,
  })
  for (const reference of found.references.toSorted()) {
    await claimDocument(stores, {
      runId,
      position: found.step,
      endpointId: found.endpoint,
      ...(endpoint ? { apiId: endpoint.api_id } : {}),
      register: found.register,
      isKept: true,
      kind: found.kind,
      isTest: found.test,
      reference,
      originalReference: null,
      now,
    })
  }
  const authorityReference = received?.authorityReference
  await settleDocument(stores, {
    runId,
    position: found.step,
    state,
    outcome: received ? null : 'crash',
    settings: { authority_reference_path: '', qr_path: '' },
    ...(authorityReference === undefined ? {} : { authorityReference }),
    now,
  })
  return runId
}

const runRowOf = ({ run_kind, test, references, at, uuid }: Found, id: number) => ({
  id,
  kind: run_kind,
  is_test: test ? (1 as const) : (0 as const),
  reference: references[0] ?? null,
  user_id: asker.user.id,
  user_name: asker.user.name,
  request_id: uuid,
  created_at: at,
  finished_at: at,
  epoch: 1,
  heals: 1 as const,
  search_text: [...references, asker.user.name].join(' ').toLowerCase(),
})
