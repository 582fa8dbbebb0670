import {
  workflowInputMaxBytes,
  type RunState,
  type RunSummary,
  type WorkflowRun,
} from '@gatehouse/contract'
import { readRow } from '../../../db/tables/column.ts'
import { runBrief } from '../../../db/tables/runs.ts'
import type { Stores } from '../../../stores.ts'
import type { ArchivedRuns } from '../../runs/ledger/reading/archived-runs.ts'
import { decidingStep, isDone } from '../../runs/ledger/run-state.ts'
import { findSummary } from '../../runs/ledger/reading/run-summary.ts'
import { releaseWords } from '../../runs/release/release-words.ts'
import type { StepRow } from '../../runs/ledger/run-store.ts'
import type { WorkflowRunRow } from './workflow-run-store.ts'

/** Answers are cut after this many characters. */
const answerShownCharacters = workflowInputMaxBytes

type Read = Pick<Stores, 'releases' | 'runs' | 'workflowRuns'>

/**
 * A run as its caller sees it; with its answers, which may be in the archive, unless `archived` is false.
 * Contains no credentials: the ledger stores none.
 */
export async function viewWorkflowRun(
  { releases, runs, workflowRuns }: Read,
  row: WorkflowRunRow,
  archived: ArchivedRuns | false,
): Promise<WorkflowRun> {
  const summary = await findSummary(runs, row.id)
  const steps = summary?.steps ?? []
  const entry = await workflowRuns.findEntry(row.id)
  const document = await workflowRuns.findDocument(row.id)
  const answers = archived ? await answersOf({ runs, workflowRuns }, row.id, archived) : undefined
  const release = mayTellOfRelease.has(row.state) ? await releases.find(row.id) : undefined
  // Where every step is done, the last that was sent says how.
  const deciding = decidingStep(steps) ?? steps.findLast(({ outcome }) => outcome !== null)
  return {
    ...readRow(runBrief, row),
    workflow: { slug: row.slug, version: row.workflow_version ?? 0 },
    reference: row.reference,
    key: row.client_key,
    batch:
      row.batch_id === null || row.batch_line === null
        ? null
        : { id: row.batch_id, line: row.batch_line },
    created_at: row.created_at,
    finished_at: row.finished_at,
    outcome: deciding?.outcome ?? null,
    message: entry?.message ?? (release ? releaseWords(release) : messageOf(deciding)),
    queue: entry
      ? { tries: entry.tries, next_try_at: entry.next_try_at, deadline_at: entry.deadline_at }
      : null,
    authority_reference: document?.authority_reference ?? null,
    qr: document?.qr ?? null,
    steps: steps.map(({ position, endpoint_name, method, state, outcome, status, message }) => ({
      position,
      endpoint_name,
      method,
      state,
      outcome,
      status,
      message,
      ...(answers ? { answer: answers.get(position) ?? null } : {}),
    })),
  }
}

/** Of any other run its steps say more. */
const mayTellOfRelease: ReadonlySet<RunState> = new Set(['waits_for_release', 'cancelled'])

type Step = RunSummary['steps'][number]

const messageOf = (step: Step | undefined): string | null =>
  step?.message
    ? isDone(step.state)
      ? step.message
      : `Step ${step.position}: ${step.message}`
    : null

/** The answers by the positions of their steps. */
async function answersOf(
  { runs, workflowRuns }: Pick<Read, 'runs' | 'workflowRuns'>,
  runId: number,
  archived: ArchivedRuns,
) {
  const steps = await runs.listSteps(runId)
  const sourceOf = (step: StepRow) => step.reused_from ?? step.id
  const rows = await workflowRuns.listAnswers(steps.map(sourceOf))
  const latest = new Map(rows.map(({ step_id, answer_body }) => [step_id, answer_body ?? '']))
  for (const { id, answer } of answersIn(await archived.readWithOrigins(runId)))
    latest.set(id, answer)
  return new Map(
    steps.flatMap((step) => {
      const answer = latest.get(sourceOf(step))
      return answer === undefined ? [] : [[step.position, cut(answer)] as const]
    }),
  )
}

/** The latest answer of each step that is in the archive. */
const answersIn = (lines: Awaited<ReturnType<ArchivedRuns['readWithOrigins']>>) =>
  lines
    .flatMap(({ steps }) => steps)
    .flatMap(({ id, attempts }) =>
      attempts
        .filter(({ kind }) => kind === 'send' || kind === 'resend')
        .flatMap(({ answer_body }) => (answer_body === null ? [] : [{ id, answer: answer_body }])),
    )

/** Not between the halves of a character. */
const cut = (text: string) =>
  text.length <= answerShownCharacters
    ? text
    : text.slice(0, answerShownCharacters).replace(/[\uD800-\uDBFF]$/, '')
