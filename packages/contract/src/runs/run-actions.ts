import { z } from 'zod'
import { confirmHeld, flag, requiredText, strictFields, text } from '../kernel/fields.ts'
import { idParams } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { runAnswer, runSummary } from './run-summary.ts'
import { saidOfDocument } from './step-documents.ts'
import { workflowStepsMax } from '../workflows/workflow-fields.ts'
import { dependencyField, optionalEndpoint, stepBody, token } from './step-fields.ts'

/** A run of a workflow has up to ten steps. */
const ofEachStep = <T extends z.ZodType>(field: T) => ({
  endpoint_1: field,
  endpoint_2: field,
  endpoint_3: field,
  endpoint_4: field,
  endpoint_5: field,
  endpoint_6: field,
  endpoint_7: field,
  endpoint_8: field,
  endpoint_9: field,
  endpoint_10: field,
})

const tokens = strictFields({ token }).optional()

/** Resumes with these tokens in place of those that the run was sent with, which are not kept. */
export const resumeRun = defineRoute({
  method: 'POST',
  path: '/api/runs/:id/resume',
  access: 'run.resume',
  tag: 'Runs',
  summary: 'Go on with the first step that did not succeed',
  params: idParams,
  body: strictFields({
    ...ofEachStep(tokens),
    confirm_held: confirmHeld,
  }),
  alsoStatus: 202,
  response: runAnswer,
})

const position = z
  .union([z.number(), z.string()], { error: 'Name the step.' })
  .transform(Number)
  .refine((value) => Number.isInteger(value) && value >= 1 && value <= workflowStepsMax.general, {
    error: 'Name the step by its number.',
  })

export const verdicts = ['received', 'not_received'] as const
export type Verdict = (typeof verdicts)[number]

/**
 * Acts only while the step is unknown: if two people resolve it at once, the second gets a 409. Where the endpoint
 * has a pending rule or a document list, "received" makes no document accepted: it takes the number of the
 * submission and makes the step pending; `by_document` says what became of each.
 */
export const resolveRun = defineRoute({
  method: 'POST',
  path: '/api/runs/:id/resolve',
  access: 'run.resolve',
  tag: 'Runs',
  summary: 'Say what became of a step whose outcome is unknown',
  params: idParams,
  body: strictFields({
    step: position,
    verdict: z.enum([...verdicts, 'by_document'], {
      error: 'Say whether it was received or not.',
    }),
    /** The authority's reference, where it was received. */
    reference: text(200, 'reference'),
    /** The authority's number of what was sent: it is asked by it for its decision. */
    submission: text(200, 'submission number'),
    /** With `by_document`: those that are left out stay as they are. */
    documents: z.array(saidOfDocument).max(1000).optional(),
    note: text(1000, 'note', { isMultiline: true }),
  }),
  response: runAnswer,
})

/**
 * Takes a run out of the open work; its state stays, and it can still be resumed, which opens it again.
 * Refused (409) while it is under way or an outcome of it is unknown.
 */
export const closeRun = defineRoute({
  method: 'POST',
  path: '/api/runs/:id/close',
  access: 'run.resolve',
  tag: 'Runs',
  summary: 'Say that nothing is left to do about a run',
  params: idParams,
  body: strictFields({ reason: requiredText(1000, 'reason', { isMultiline: true }) }),
  response: runAnswer,
})

/**
 * Takes a run that is queued out of its lane. Refused (409) once a step of it that changes something was
 * sent, unless the authority certainly did not take it.
 */
export const cancelRun = defineRoute({
  method: 'POST',
  path: '/api/runs/:id/cancel',
  access: 'run.resolve',
  tag: 'Runs',
  summary: 'Take a queued run out of its lane: nothing of it is sent',
  params: idParams,
  response: runAnswer,
})

/**
 * Why an answer of the status query settles nothing: an attempt is open; the quiet period is not over;
 * the last "not received" is too recent; it was said for the first time; no rule fits; the authority
 * has not decided yet.
 */
const undecidedReasons = [
  'under_way',
  'too_early',
  'too_soon',
  'said_once',
  'unclear',
  'still_pending',
] as const
export type UndecidedReason = (typeof undecidedReasons)[number]

/**
 * "Received" counts at once. "Not received" counts after the endpoint's quiet period, and when it was
 * said twice; until then the verdict is `undecided`. So does "rejected", unless the authority was asked
 * by a value of its own answer. A step that is pending may be asked about at any time.
 */
export const queryStatus = defineRoute({
  method: 'POST',
  path: '/api/runs/:id/status-query',
  access: 'run.resolve',
  tag: 'Runs',
  summary: 'Ask the endpoint’s status query what became of a step',
  params: idParams,
  body: strictFields({
    step: position,
    token,
    /** What nothing that was sent or answered says (`missing` of the step), by name. */
    values: z.record(z.string().max(100), text(200, 'value')).optional(),
  }),
  response: z.object({
    message: z.string(),
    verdict: z.enum([...verdicts, 'rejected', 'undecided']),
    /** Null unless it is undecided. */
    because: z.enum(undecidedReasons).nullable(),
    /** When "not received" may count; null where asking again needs no waiting. */
    ask_again_after: z.string().nullable(),
    run: runSummary,
  }),
})

const correctionFields = {
  /** Absent keeps what the old run had. */
  body: stepBody.optional(),
  token,
  /** Taken as in a bundle, and a 422 where they differ from the old run's: these stay. */
  end_point: optionalEndpoint.optional(),
  test_invoice: flag.optional(),
}
const correction = strictFields(correctionFields).optional()
const correction2 = strictFields({
  ...correctionFields,
  /** Of a tax bundle; in any other run it is an unknown field. */
  dependency_field: dependencyField.optional(),
}).optional()

/**
 * A new run, linked by `retry_of`. Steps that succeeded are kept: their answers are reused, nothing
 * of them is sent again, and correcting one is a 422. `from_start` sends every step again. Refused
 * (409) while the old run may have been accepted. Takes an `Idempotency-Key` like a new run. Needs
 * the permission to send as well.
 */
export const retryRun = defineRoute({
  method: 'POST',
  path: '/api/runs/:id/retry',
  access: 'run.resume',
  tag: 'Runs',
  summary: 'Send corrected bodies, or the same from the start, as a new run',
  bodyLimitBytes: 12 * 1024 * 1024,
  params: idParams,
  body: strictFields({
    ...ofEachStep(correction),
    endpoint_2: correction2,
    from_start: flag,
    confirm_held: confirmHeld,
  }),
  alsoStatus: 202,
  response: runAnswer,
})
