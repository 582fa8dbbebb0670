import { createHash } from 'node:crypto'
import type { DocumentState, RunKind, RunState, StepState } from '@gatehouse/contract'
import { dice, keyOf, userNames } from '../runs/planned-run.ts'
import { authorityReference, figuresOf } from './figures-of-document.ts'
import { inputOf, jsonBody, xmlBody, type Document } from './texts-of-document.ts'

/** What a run of the data set belongs to. */
export interface Place {
  workflow: {
    id: number
    slug: string
    kind: RunKind
    lane: number
    endpoint: number
    takesXml: boolean
  } | null
  batch: { id: number; line: number } | null
}

export interface PlannedRun {
  number: number
  state: RunState
  at: string
  documents: Document[]
}

const dayMs = 86_400_000

/** How runs ended, how often in ten thousand. The newest may still be under way. */
const endings: [RunState, number][] = [
  ['rejected', 190],
  ['unknown', 10],
  ['blocked', 25],
  ['stopped', 10],
  ['not_started', 10],
  ['cancelled', 5],
]

/** A hundredth of the runs that carry documents carries so many. */
const several = 4

export interface Span {
  runs: number
  days: number
  /** The moment after the newest run, in milliseconds. */
  untilMs: number
}

export function countDocuments(number: number, kind: RunKind): number {
  if (kind === 'general') return 0
  return dice(number, 40, 97) === 0 ? several : 1
}

export function stateOf(number: number, { runs, days }: Span, inLane: boolean): RunState {
  const ageDays = ((runs - number) / runs) * days
  if (inLane && ageDays < days / 250 && dice(number, 41, 2) === 0) return 'queued'
  if (inLane && ageDays < days / 80 && dice(number, 42, 5) === 0) return 'pending'
  const thrown = dice(number, 43, 10_000)
  let sum = 0
  return endings.find(([, share]) => thrown < (sum += share))?.[0] ?? 'succeeded'
}

export const momentOf = (number: number, { runs, days, untilMs }: Span): string =>
  new Date(untilMs - Math.floor(((runs - number) / runs) * days * dayMs)).toISOString()

const stepStateOf: Partial<Record<RunState, StepState>> = {
  succeeded: 'succeeded',
  rejected: 'rejected',
  blocked: 'blocked',
  unknown: 'unknown',
  pending: 'pending',
}

const documentStateOf: Partial<Record<RunState, DocumentState>> = {
  succeeded: 'accepted',
  rejected: 'not_accepted',
  unknown: 'unknown',
  pending: 'pending',
}

const attemptOf: Partial<Record<RunState, [outcome: string, status: number | null]>> = {
  succeeded: ['ok', 200],
  rejected: ['rejected', 422],
  blocked: ['auth', 401],
  unknown: ['timeout', null],
  pending: ['pending', 202],
}

export type Rows = Record<string, Record<string, string | number | null>[]>

const endpointNames = ['Report invoice', 'Clear invoice', 'Report credit note', 'Register customer']

/** The rows of a run and of all that belongs to it. `firstDocument`: the id of its first document. */
export function rowsOf(run: PlannedRun, place: Place, firstDocument: number): Rows {
  const { number, state, at } = run
  const id = number + 1
  const begun = state !== 'queued' && state !== 'cancelled'
  const rows: Rows = { run: [runRow(run, place)] }
  if (place.workflow) rows.run_input = [{ run_id: id, body: inputText(run) }]
  if (state === 'queued')
    rows.lane_entry = [
      {
        run_id: id,
        lane_id: place.workflow?.lane ?? 1,
        priority: place.batch ? 1 : 0,
        state: 'queued',
        is_first: 1,
        queued_at: at,
      },
    ]
  if (begun) Object.assign(rows, stepRows(run, place))
  if (state === 'pending') {
    // Nothing asks for these within the life of a bench.
    rows.pending_poll = [{ id, submission: `step ${id}`, next_at: '2200-01-01T00:00:00.000Z' }]
    rows.pending_step = [{ step_id: id, run_id: id, poll_id: id, since: at }]
  }
  rows.document = run.documents.map((document, index) => ({
    id: firstDocument + index,
    kind: document.isCredit ? 'credit' : 'tax',
    is_test: dice(number, 7, 100) < 3 ? 1 : 0,
    register: 'default',
    reference: document.reference,
    reference_key: document.reference,
    state: documentStateOf[state] ?? 'open',
    run_id: id,
    original_reference: document.original,
    original_key: document.original,
    authority_reference: state === 'succeeded' ? authorityReference(firstDocument + index) : null,
    created_at: at,
    updated_at: at,
  }))
  if (begun)
    rows.document_step = run.documents.map((_, index) => ({
      document_id: firstDocument + index,
      run_id: id,
      position: 1,
      state: documentStateOf[state] ?? 'open',
    }))
  return rows
}

const referenceOf = ({ documents }: PlannedRun) =>
  documents.length === 1 ? (documents[0]?.reference ?? null) : null

function runRow(run: PlannedRun, { workflow, batch }: Place) {
  const { number, state, at } = run
  const user = Math.min(dice(number, 5, userNames.length), dice(number, 6, userNames.length))
  const key = keyOf(number)
  const reference = referenceOf(run)
  const userName = userNames[user] ?? ''
  const requestId = `${key.slice(0, 8)}-${key.slice(8, 12)}-4${key.slice(13, 16)}-8${key.slice(17, 20)}-${key.slice(20, 32)}`
  const kind = workflow?.kind ?? (run.documents[0]?.isCredit ? 'credit' : 'tax')
  return {
    id: number + 1,
    kind,
    state,
    is_test: dice(number, 7, 100) < 3 ? 1 : 0,
    idempotency_key: `${workflow ? `workflow:${workflow.id}` : kind}:${user + 1}:${key}`,
    client_key: key,
    content_sha256: createHash('sha256').update(key).digest('hex'),
    reference,
    user_id: user + 1,
    user_name: userName,
    request_id: requestId,
    created_at: at,
    finished_at: state === 'queued' || state === 'pending' ? null : at,
    epoch: 1,
    unknown_since: state === 'unknown' ? at : null,
    search_text: [reference ?? '', userName, requestId, workflow?.slug ?? endpointNames[0]]
      .join(' ')
      .trim()
      .toLowerCase(),
    workflow_id: workflow?.id ?? null,
    workflow_version: workflow ? 1 : null,
    batch_id: batch?.id ?? null,
    batch_line: batch?.line ?? null,
  }
}

function inputText({ number, documents }: PlannedRun): string {
  const inputs = documents.map(inputOf)
  if (inputs.length > 1) return `[${inputs.join(',')}]`
  return inputs[0] ?? JSON.stringify({ customer: figuresOf(number).customer, action: 'register' })
}

function stepRows(run: PlannedRun, { workflow }: Place): Rows {
  const { number, state, at, documents } = run
  const id = number + 1
  const bodies = documents.map(workflow?.takesXml ? xmlBody : jsonBody)
  const [outcome, status] = attemptOf[state] ?? []
  const step = {
    id,
    run_id: id,
    position: 1,
    endpoint_id: workflow?.endpoint ?? 1,
    endpoint_name: endpointNames[(workflow?.endpoint ?? 1) - 1] ?? '',
    effect: 'submit',
    state: stepStateOf[state] ?? 'waiting',
    uuid: authorityReference(-number),
    method: 'POST',
    url: 'http://127.0.0.1:9/invoices',
    headers: `{"content-type":"application/${workflow?.takesXml ? 'xml' : 'json'}"}`,
    body: bodies.length > 1 ? `[${bodies.join(',')}]` : (bodies[0] ?? inputText(run)),
    frozen_at: at,
  }
  if (!outcome) return { run_step: [step] }
  const attempt = {
    id,
    step_id: id,
    number: 1,
    kind: 'send',
    owner: 'bench',
    started_at: at,
    finished_at: at,
    outcome,
    status: status ?? null,
    duration_ms: 80 + dice(number, 44, 400),
    answer_headers: '{"content-type":"application/json"}',
    answer_body: status ? answerOf(number, status) : null,
    answer_bytes: status ? 220 : 0,
    user_id: 1,
    user_name: userNames[0] ?? '',
    url: step.url,
  }
  return { run_step: [step], run_attempt: [attempt] }
}

const answerOf = (number: number, status: number): string =>
  JSON.stringify({
    clearanceStatus: status === 200 ? 'CLEARED' : 'NOT_CLEARED',
    uuid: authorityReference(number),
    ...(status === 422
      ? { errors: [{ code: `BR-KSA-${dice(number, 45, 90)}`, message: 'The buyer is not valid.' }] }
      : { warnings: [] }),
  })
