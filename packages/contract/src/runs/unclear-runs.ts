import { z } from 'zod'
import { bulkIds } from '../kernel/bulk.ts'
import { confirmHeld, idMax, requiredText, strictFields, text } from '../kernel/fields.ts'
import { listQuery, pageOf } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { verdicts } from './run-actions.ts'
import { runFilterFields } from './run-list.ts'
import { outcomes, runRecord, runStates, stepHead } from './run-summary.ts'
import { stepHealing } from './step-healing.ts'

/** Runs about which the authority has said neither yes nor no, and that no server goes on with. */
export const unclearStates = ['unknown', 'blocked', 'stopped', 'not_started'] as const
export type UnclearState = (typeof unclearStates)[number]

const unclearRun = runRecord.extend({
  /** When it came into this state. */
  since: z.string(),
  /** The step that decides; null where nothing of it was planned yet. */
  step: stepHead
    .extend({
      endpoint_id: z.number().int(),
      /** Of the latest attempt that was sent. */
      outcome: z.enum(outcomes).nullable(),
      status: z.number().int().nullable(),
      /** Why it is where it is, in words. */
      message: z.string().nullable(),
    })
    .nullable(),
  /** What is done without a person; null where that is nothing. */
  healing: stepHealing
    .extend({
      /** The last question or repetition, and what came of it. */
      last: z.object({ at: z.string(), detail: z.string().nullable() }).nullable(),
    })
    .nullable(),
  /** What the caller may do now. */
  can: z.object({
    ask: z.boolean(),
    resume: z.boolean(),
    resolve: z.boolean(),
    close: z.boolean(),
  }),
})
export type UnclearRun = z.output<typeof unclearRun>

/** The oldest first unless another order is asked for. */
export const listUnclear = defineRoute({
  method: 'GET',
  path: '/api/runs/unclear',
  access: 'run.view',
  tag: 'Runs',
  summary: 'The work list: runs that are neither accepted nor refused, and what can be done',
  query: listQuery(['id', 'created_at', 'state']).extend({
    ...runFilterFields,
    state: z.enum([...unclearStates, '']).optional(),
  }),
  response: pageOf(unclearRun),
})

/** The runs by their ids, or all open ones that a filter finds. */
const chosen = {
  ids: bulkIds.optional(),
  filter: strictFields({
    ...runFilterFields,
    work: z.enum(['open', 'unclear']).default('open'),
  }).optional(),
  /** Goes on after this run: the `next_after` of the answer before. */
  after: z.number().int().min(0).max(idMax).default(0),
}

const chosenBody = <S extends z.ZodRawShape>(shape: S) =>
  strictFields({ ...chosen, ...shape }).refine(
    ({ ids, filter }: { ids?: unknown; filter?: unknown }) =>
      (ids === undefined) !== (filter === undefined),
    { path: ['ids'], error: 'Name either the runs or a filter.' },
  )

const runOutcome = z.object({
  id: z.number().int(),
  /** The reference of its document; null where it has none. */
  reference: z.string().nullable(),
  /** `undecided`: the authority was asked, and its answer settles nothing. */
  outcome: z.enum(['done', 'undecided', 'refused']),
  message: z.string(),
  /** Afterwards; null where there is no such run. */
  state: z.enum(runStates).nullable(),
})
export type RunOutcome = z.output<typeof runOutcome>

/** One run after the other, each as the call for one run does it; a refusal leaves the others alone. */
const chosenAnswer = z.object({
  results: z.array(runOutcome),
  /** Some are left: send the same again with this as `after`. Null: all were tried. */
  next_after: z.number().int().nullable(),
})
export type ChosenAnswer = z.output<typeof chosenAnswer>

export const askRuns = defineRoute({
  method: 'POST',
  path: '/api/runs/bulk/status-query',
  access: 'run.resolve',
  tag: 'Runs',
  summary: 'Ask what became of several runs',
  body: chosenBody({}),
  response: chosenAnswer,
})

export const resumeRuns = defineRoute({
  method: 'POST',
  path: '/api/runs/bulk/resume',
  access: 'run.resume',
  tag: 'Runs',
  summary: 'Go on with several runs',
  body: chosenBody({ confirm_held: confirmHeld }),
  response: chosenAnswer,
})

export const resolveRuns = defineRoute({
  method: 'POST',
  path: '/api/runs/bulk/resolve',
  access: 'run.resolve',
  tag: 'Runs',
  summary: 'Say what became of several runs whose outcome is unknown',
  body: chosenBody({
    verdict: z.enum(verdicts, { error: 'Say whether they were received or not.' }),
    note: text(1000, 'note', { isMultiline: true }),
  }),
  response: chosenAnswer,
})

export const closeRuns = defineRoute({
  method: 'POST',
  path: '/api/runs/bulk/close',
  access: 'run.resolve',
  tag: 'Runs',
  summary: 'Say that nothing is left to do about several runs',
  body: chosenBody({ reason: requiredText(1000, 'reason', { isMultiline: true }) }),
  response: chosenAnswer,
})
