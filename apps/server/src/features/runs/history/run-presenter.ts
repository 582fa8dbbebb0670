import type {
  FileAnswer,
  KeptText,
  RunAttempt,
  RunDetail,
  RunListItem,
  RunStepDetail,
} from '@gatehouse/contract'
import { readRow } from '../../../db/tables/column.ts'
import { attemptShown, runHead, stepShown } from '../../../db/tables/runs.ts'
import type { Row } from '../../../db/tables.ts'
import type { StoredRun } from '../ledger/open-run.ts'
import type { AttemptRow } from '../ledger/attempt-store.ts'
import type { StepRow } from '../ledger/run-store.ts'

/** The page of a run shows this many characters of a text. Requests of bundles are never longer. */
const requestShownCharacters = 1024 * 1024
const answerShownCharacters = 256 * 1024

type ListedStep = Pick<StepRow, 'run_id' | 'position' | 'endpoint_name' | 'method' | 'state'>

/** The names of workflows by their ids, and the registers of documents by the runs that carry them. */
interface NamedOfRuns {
  workflows: ReadonlyMap<number, string>
  registers: ReadonlyMap<number, readonly string[]>
}

export function toRunListItem(
  run: Row<'run'>,
  steps: readonly ListedStep[],
  named: NamedOfRuns,
): RunListItem {
  return {
    ...headOf(run, named),
    steps: steps
      .filter(({ run_id }) => run_id === run.id)
      .map(({ position, endpoint_name, method, state }) => ({
        position,
        endpoint_name,
        method,
        state,
      })),
  }
}

/** The allowed actions and the relations of a run. */
type RunOutlook = Pick<
  RunDetail,
  | 'archive'
  | 'queue'
  | 'release'
  | 'retried_by'
  | 'credits'
  | 'resume'
  | 'run_again'
  | 'correct'
  | 'close'
  | 'cancel'
> & {
  canOf: (step: StepRow) => RunStepDetail['can']
  inquiryOf: (step: StepRow) => RunStepDetail['inquiry']
  pendingOf: (step: StepRow) => RunStepDetail['pending']
  healingOf: (step: StepRow) => RunStepDetail['healing']
  documentsOf: (step: StepRow) => RunStepDetail['documents']
  rejectedBodyOf: (step: StepRow) => string | undefined
  missingOf: (step: StepRow) => string[]
  receivedAsksOf: (step: StepRow) => RunStepDetail['received_asks']
  named: NamedOfRuns
}

/** Contains no credentials: the ledger stores none. */
export function toRunDetail(
  stored: StoredRun,
  reusedAnswers: ReadonlyMap<number, AttemptRow[]>,
  {
    canOf,
    inquiryOf,
    pendingOf,
    healingOf,
    documentsOf,
    rejectedBodyOf,
    missingOf,
    receivedAsksOf,
    named,
    ...outlook
  }: RunOutlook,
): RunDetail {
  const { run, steps } = stored
  return {
    ...headOf(run, named),
    request_id: run.request_id,
    trace_id: run.trace_id,
    batch: run.batch_id === null ? null : { id: run.batch_id, line: run.batch_line ?? 0 },
    original: run.original_run_id,
    closed:
      run.closed_at === null
        ? null
        : { at: run.closed_at, by: run.closed_by_name ?? '', reason: run.closed_reason ?? '' },
    ...outlook,
    steps: steps.map((step) => ({
      ...factsOf(step),
      can: canOf(step),
      received_asks: receivedAsksOf(step),
      missing: missingOf(step),
      inquiry: inquiryOf(step),
      pending: pendingOf(step),
      healing: healingOf(step),
      documents: documentsOf(step),
      rejected_body: keptText(rejectedBodyOf(step) ?? null, requestShownCharacters),
      attempts: (step.reused_from === null
        ? stored.attemptsOf(step)
        : (reusedAnswers.get(step.reused_from) ?? [])
      ).map(toAttempt),
    })),
  }
}

/** What the row of a step says. */
const factsOf = (step: StepRow) => ({
  ...readRow(stepShown, step),
  url: step.url === '' ? null : step.url,
  body: keptText(step.body, requestShownCharacters),
  source_body: keptText(step.source_body ?? step.body, requestShownCharacters),
  is_reused: step.reused_from !== null,
})

export function headOf(run: Row<'run'>, { workflows, registers }: NamedOfRuns) {
  const { workflow_id } = run
  return {
    ...readRow(runHead, run),
    registers: [...(registers.get(run.id) ?? [])],
    is_closed: run.closed_at !== null,
    workflow:
      workflow_id === null
        ? null
        : {
            id: workflow_id,
            name: workflows.get(workflow_id) ?? '',
            version: run.workflow_version ?? 0,
          },
  }
}

const toAttempt = (attempt: AttemptRow): RunAttempt => ({
  ...readRow(attemptShown, attempt),
  answer_body: keptText(attempt.answer_body, answerShownCharacters, attempt.answer_bytes),
})

function keptText(text: string | null, limit: number, bytes?: number | null): KeptText | null {
  if (text === null) return null
  const keptBytes = Buffer.byteLength(text)
  // `bytes` counts what was received. Text that could not be decoded has another length here.
  const isWhole =
    text.length <= limit && (bytes === undefined || bytes === null || keptBytes >= bytes)
  return {
    text: text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, ''),
    bytes: bytes ?? keptBytes,
    is_whole: isWhole,
  }
}

/**
 * A download as JSON or text. The authority's content type is not used, so that no browser runs it.
 */
export function toAnswerFile(
  { answer_body, answer_headers }: AttemptRow,
  name: string,
): FileAnswer {
  const headers = JSON.parse(answer_headers ?? '{}') as Record<string, string>
  const isJson = /[/+]json\b/i.test(headers['content-type'] ?? '')
  return {
    type: isJson ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8',
    body: Buffer.from(answer_body ?? ''),
    name: `${name}.${isJson ? 'json' : 'txt'}`,
  }
}
