import type {
  RunAttempt,
  RunDetail,
  RunListItem,
  RunState,
  RunStepDetail,
  RunSummary,
  StepState,
} from '@gatehouse/contract'
import { requestId } from './fake-server.ts'

type SummaryStep = RunSummary['steps'][number]

const at = '2026-01-31T10:00:00.000Z'

/** Runs that satisfy the contract; a test names only what it is about. */
function buildSummaryStep(position: number, changes: Partial<SummaryStep> = {}): SummaryStep {
  return {
    position,
    endpoint_id: position + 2,
    endpoint_name: `Endpoint ${position}`,
    method: position === 1 ? 'GET' : 'POST',
    state: 'succeeded',
    outcome: 'ok',
    status: 200,
    duration_ms: 12,
    message: null,
    ...changes,
  }
}

/** A run with a step for each state given. */
export function buildSummary(
  state: RunState,
  steps: readonly StepState[] = ['succeeded', 'succeeded'],
  changes: Partial<RunSummary> = {},
): RunSummary {
  return {
    id: 41,
    state,
    kind: 'tax',
    is_test: false,
    is_dry_run: false,
    steps: steps.map((state, index) =>
      buildSummaryStep(
        index + 1,
        state === 'succeeded' ? {} : { state, outcome: null, status: null, duration_ms: null },
      ),
    ),
    ...changes,
  }
}

export function buildAttempt(changes: Partial<RunAttempt> = {}): RunAttempt {
  return {
    number: 1,
    kind: 'send',
    started_at: at,
    finished_at: at,
    outcome: 'ok',
    error_code: null,
    status: 200,
    duration_ms: 12,
    detail: null,
    url: 'https://authority.example.com/invoices',
    answer_headers: { 'content-type': 'application/json' },
    answer_body: { text: '{"number":"A-1"}', bytes: 16, is_whole: true },
    user_name: 'Ada Admin',
    note: null,
    reference: null,
    ...changes,
  }
}

export function buildStep(changes: Partial<RunStepDetail> = {}): RunStepDetail {
  return {
    position: 1,
    endpoint_id: 4,
    endpoint_name: 'File invoice',
    effect: 'submit',
    state: 'succeeded',
    message: null,
    not_before: null,
    uuid: '6a1d2c9a-54a3-4a0c-9f6c-1c8d8d1b1a11',
    method: 'POST',
    url: 'https://authority.example.com/invoices',
    headers: { 'content-type': 'application/json' },
    body: { text: '{"total":0.10}', bytes: 14, is_whole: true },
    source_body: { text: '{"total":0.10}', bytes: 14, is_whole: true },
    dependency_field: null,
    frozen_at: at,
    has_credential: false,
    is_reused: false,
    blocked_by: null,
    can: { resolve: false, resend: false, status_query: false },
    received_asks: 'nothing',
    missing: [],
    inquiry: null,
    healing: null,
    pending: null,
    documents: [],
    rejected_body: null,
    attempts: [buildAttempt()],
    ...changes,
  }
}

/** A step whose outcome is unknown. */
export const buildUnknownStep = (changes: Partial<RunStepDetail> = {}) =>
  buildStep({
    state: 'unknown',
    can: { resolve: true, resend: true, status_query: true },
    inquiry: { quiet_seconds: 120, negatives: 0, negatives_needed: 2, ask_again_after: null },
    attempts: [buildAttempt({ outcome: 'timeout', status: null, answer_body: null })],
    ...changes,
  })

const refused = (refusal: string) => ({ is_allowed: false, refusal })

export function buildRunDetail(changes: Partial<RunDetail> = {}): RunDetail {
  return {
    id: 41,
    kind: 'tax',
    state: 'succeeded',
    is_test: false,
    is_dry_run: false,
    archive: null,
    reference: 'INV-1',
    registers: ['Tax office'],
    user_id: 1,
    user_name: 'Ada Admin',
    request_id: requestId,
    trace_id: null,
    created_at: at,
    finished_at: '2026-01-31T10:00:01.500Z',
    retry_of: null,
    overtaken_by: null,
    is_closed: false,
    workflow: null,
    batch: null,
    queue: null,
    retried_by: null,
    original: null,
    credits: [],
    resume: { step: null, refusal: 'Every step has succeeded.' },
    run_again: refused('A step of this run was accepted: it is not sent again.'),
    closed: null,
    close: { is_allowed: false, refusal: null },
    cancel: { is_allowed: false, refusal: null },
    release: null,
    correct: { ...refused('There is nothing to correct.'), kept_steps: 1 },
    steps: [buildStep()],
    ...changes,
  }
}

export function buildRunRow(changes: Partial<RunListItem> = {}): RunListItem {
  return {
    id: 41,
    kind: 'tax',
    state: 'succeeded',
    is_test: false,
    is_dry_run: false,
    reference: 'INV-1',
    registers: ['Tax office'],
    user_id: 1,
    user_name: 'Ada Admin',
    created_at: at,
    finished_at: at,
    retry_of: null,
    overtaken_by: null,
    is_closed: false,
    workflow: null,
    steps: [{ position: 1, endpoint_name: 'File invoice', method: 'POST', state: 'succeeded' }],
    ...changes,
  }
}

/** A stream of server-sent events that a test feeds. */
export function openEvents() {
  let control: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({ start: (started) => void (control = started) })
  const send = (text: string) => control?.enqueue(new TextEncoder().encode(text))
  return {
    response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    send,
    run: (run: RunSummary) => send(`event: run\ndata: ${JSON.stringify(run)}\n\n`),
    close: () => control?.close(),
  }
}
