import { z } from 'zod'
import { flag, requiredText, strictFields, text } from './kernel/fields.ts'
import { idParams, listQuery, pageOf } from './kernel/paging.ts'
import { defineRoute } from './kernel/route.ts'
import {
  attemptKinds,
  effects,
  outcomes,
  runKinds,
  runStates,
  runSummary,
  stepStates,
  token,
} from './runs.ts'
import { dependencyField, optionalEndpoint, runAnswer, stepBody } from './tax.ts'

/**
 * `open`: somebody may have to act; `overtaken`: another run was sent in its place; `closed`: a person
 * has said that nothing is left to do.
 */
export const runWorks = ['open', 'overtaken', 'closed'] as const
export type RunWork = (typeof runWorks)[number]

const moment = z.iso.date().or(z.iso.datetime())

/** A run as the history lists it. */
export const runListItem = z.object({
  id: z.number().int(),
  kind: z.enum(runKinds),
  state: z.enum(runStates),
  is_test: z.boolean(),
  is_dry_run: z.boolean(),
  reference: z.string().nullable(),
  user_id: z.number().int(),
  user_name: z.string(),
  created_at: z.string(),
  finished_at: z.string().nullable(),
  retry_of: z.number().int().nullable(),
  /** The run that was sent in its place, to correct it or with the same content. */
  overtaken_by: z.number().int().nullable(),
  is_closed: z.boolean(),
  steps: z.array(
    z.object({
      position: z.number().int(),
      endpoint_name: z.string(),
      method: z.string(),
      state: z.enum(stepStates),
    }),
  ),
})
export type RunListItem = z.output<typeof runListItem>

/** Newest first unless another order is asked for. */
export const listRuns = defineRoute({
  method: 'GET',
  path: '/api/runs',
  access: 'run.view',
  tag: 'Runs',
  summary: 'The history of runs',
  query: listQuery(['id', 'created_at', 'finished_at', 'state', 'kind', 'user_name']).extend({
    kind: z.enum([...runKinds, '']).optional(),
    state: z.enum([...runStates, '']).optional(),
    work: z.enum([...runWorks, '']).optional(),
    /** `1`: test invoices only, `0`: none of them. */
    test: z.enum(['0', '1', '']).optional(),
    /** Days or moments, ISO 8601, UTC; both inclusive. */
    from: moment.or(z.literal('')).optional(),
    to: moment.or(z.literal('')).optional(),
    /** How the document's reference begins. */
    reference: z.string().trim().max(200).default(''),
    /** Id of the user, or how the name begins. */
    user: z.string().trim().max(200).default(''),
    /** Id of an endpoint that a step of the run calls. */
    endpoint: z.coerce.number().int().min(0).optional(),
    /** The run that has this idempotency key. */
    key: z.string().trim().max(200).default(''),
  }),
  response: pageOf(runListItem),
})

/** A text, cut where it is very long; `bytes` counts all of it, in UTF-8. */
export const keptText = z.object({
  text: z.string(),
  bytes: z.number().int(),
  is_whole: z.boolean(),
})
export type KeptText = z.output<typeof keptText>

export const runAttempt = z.object({
  number: z.number().int(),
  kind: z.enum(attemptKinds),
  started_at: z.string(),
  finished_at: z.string().nullable(),
  /** Null while it is under way, and for what a person said. */
  outcome: z.enum(outcomes).nullable(),
  error_code: z.string().nullable(),
  status: z.number().int().nullable(),
  duration_ms: z.number().nullable(),
  /** In words: why it failed, or what a status query came to. */
  detail: z.string().nullable(),
  /** Where it went; null for what a person said. */
  url: z.string().nullable(),
  answer_headers: z.record(z.string(), z.string()).nullable(),
  answer_body: keptText.nullable(),
  /** Who sent it, asked or said so; null in attempts of earlier versions. */
  user_name: z.string().nullable(),
  note: z.string().nullable(),
  reference: z.string().nullable(),
})
export type RunAttempt = z.output<typeof runAttempt>

export const runStepDetail = z.object({
  position: z.number().int(),
  endpoint_id: z.number().int(),
  endpoint_name: z.string(),
  effect: z.enum(effects),
  state: z.enum(stepStates),
  /** Why the step is where it is, in words; null where there is nothing to say. */
  message: z.string().nullable(),
  /** The run that holds the document which this step carries; null where none does. */
  blocked_by: z.number().int().nullable(),
  /** The authority asked to wait: not to be sent before. */
  not_before: z.string().nullable(),
  uuid: z.string(),
  method: z.string(),
  /** Null until the step is frozen, just before it is sent. */
  url: z.string().nullable(),
  /** As sent, without credentials. */
  headers: z.record(z.string(), z.string()),
  /** The exact bytes that went out, or would have in a dry run. */
  body: keptText.nullable(),
  /** What was typed, before placeholders and dependency fields. */
  source_body: keptText.nullable(),
  dependency_field: z.string().nullable(),
  frozen_at: z.string().nullable(),
  /** True where a credential goes along, which is not kept. */
  has_credential: z.boolean(),
  /** The answer was taken over from the run that this one retries; nothing was sent. */
  is_reused: z.boolean(),
  /** What may be done about an unknown outcome of this step. */
  can: z.object({ resolve: z.boolean(), resend: z.boolean(), status_query: z.boolean() }),
  /** How the status query stands; null where it can't be asked. */
  inquiry: z
    .object({
      quiet_seconds: z.number().int(),
      /** How often the endpoint has said "not received" so that it counts. */
      negatives: z.number().int(),
      negatives_needed: z.number().int(),
      /** Before this moment "not received" does not count; null where it counts now. */
      ask_again_after: z.string().nullable(),
    })
    .nullable(),
  attempts: z.array(runAttempt),
})
export type RunStepDetail = z.output<typeof runStepDetail>

export const runDetail = z.object({
  id: z.number().int(),
  kind: z.enum(runKinds),
  state: z.enum(runStates),
  is_test: z.boolean(),
  is_dry_run: z.boolean(),
  reference: z.string().nullable(),
  user_id: z.number().int(),
  user_name: z.string(),
  request_id: z.string(),
  created_at: z.string(),
  finished_at: z.string().nullable(),
  retry_of: z.number().int().nullable(),
  overtaken_by: z.number().int().nullable(),
  is_closed: z.boolean(),
  /** Who said that nothing is left to do, and why. */
  closed: z.object({ at: z.string(), by: z.string(), reason: z.string() }).nullable(),
  retried_by: z.number().int().nullable(),
  /** Credit: the tax run of the document that it credits. */
  original: z.number().int().nullable(),
  /** Tax: the credit runs against it. */
  credits: z.array(z.number().int()),
  /** “Resume from step N”: the step it would go on with, or null with the reason why not. */
  resume: z.object({ step: z.number().int().nullable(), refusal: z.string().nullable() }),
  /** “Run again from the start”: allowed, or the reason why not. */
  run_again: z.object({ is_allowed: z.boolean(), refusal: z.string().nullable() }),
  /** Corrected bodies in a new run; steps up to `kept_steps` succeeded and are not sent again. */
  correct: z.object({
    is_allowed: z.boolean(),
    refusal: z.string().nullable(),
    kept_steps: z.number().int(),
  }),
  /** Allowed, or the reason why not. */
  close: z.object({ is_allowed: z.boolean(), refusal: z.string().nullable() }),
  steps: z.array(runStepDetail),
})
export type RunDetail = z.output<typeof runDetail>

export const showRun = defineRoute({
  method: 'GET',
  path: '/api/runs/:id',
  access: 'run.view',
  tag: 'Runs',
  summary: 'A run with its steps and attempts, what was sent and what was answered',
  params: idParams,
  response: runDetail,
})

/**
 * A whole answer as a download, up to the 16 MiB that are accepted of one; the run's page shows its
 * beginning. Without `attempt` the last one that was answered. Credentials are in it no more than there.
 */
export const showAnswer = defineRoute({
  method: 'GET',
  path: '/api/runs/:id/steps/:n/answer',
  access: 'run.view',
  tag: 'Runs',
  summary: 'What a step of a run was answered with, whole',
  params: idParams.extend({ n: z.coerce.number().int().min(1).max(99) }),
  query: z.object({ attempt: z.coerce.number().int().min(1).max(1_000_000).optional() }),
  isFile: true,
})

/** For the badge: how many runs wait for somebody to say what became of them. */
export const unknownRuns = defineRoute({
  method: 'GET',
  path: '/api/runs/unknown',
  access: 'run.view',
  tag: 'Runs',
  summary: 'How many outcomes are unknown, and the oldest of them',
  response: z.object({
    count: z.number().int(),
    /** `since` is when it became unknown. */
    oldest: z.object({ run_id: z.number().int(), since: z.string() }).nullable(),
  }),
})

/** One's own run by its idempotency key, also while it is under way. 404 until it has begun. */
export const runByKey = defineRoute({
  method: 'GET',
  path: '/api/runs/by-key/:key',
  access: 'session',
  tag: 'Runs',
  summary: 'The caller’s own run with this Idempotency-Key',
  params: z.object({ key: z.string().min(1).max(200) }),
  query: z.object({ kind: z.enum([...runKinds, '']).optional() }),
  response: z.object({ run: runSummary }),
})

/**
 * Server-sent events: `event: run` with a run summary as JSON, at once and upon every change;
 * a comment line every 15 s; the stream ends when the run does, or after 15 minutes. For holders of
 * `run.view` and for the person whose run it is; anybody else gets 404.
 */
export const runEvents = defineRoute({
  method: 'GET',
  path: '/api/runs/:id/events',
  access: 'session',
  tag: 'Runs',
  summary: 'Follow a run step by step (server-sent events)',
  params: idParams,
  isFile: true,
  answers: 'text/event-stream; charset=utf-8',
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
    endpoint_1: tokens,
    endpoint_2: tokens,
    endpoint_3: tokens,
    endpoint_4: tokens,
  }),
  response: runAnswer,
})

const position = z
  .union([z.number(), z.string()], { error: 'Name the step.' })
  .transform(Number)
  .refine((value) => Number.isInteger(value) && value >= 1 && value <= 4, {
    error: 'Name the step by its number.',
  })

export const verdicts = ['received', 'not_received'] as const
export type Verdict = (typeof verdicts)[number]

/** Acts only while the step is still unknown: of two people at once, one gets a 409. */
export const resolveRun = defineRoute({
  method: 'POST',
  path: '/api/runs/:id/resolve',
  access: 'run.resolve',
  tag: 'Runs',
  summary: 'Say what became of a step whose outcome is unknown',
  params: idParams,
  body: strictFields({
    step: position,
    verdict: z.enum(verdicts, { error: 'Say whether it was received or not.' }),
    /** The authority's reference, where it was received. */
    reference: text(200, 'reference'),
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
 * Why an answer of the status query settles nothing: an attempt is open; the quiet period is not over;
 * the last "not received" is too recent; it was said for the first time; no rule fits.
 */
export const undecidedReasons = [
  'under_way',
  'too_early',
  'too_soon',
  'said_once',
  'unclear',
] as const
export type UndecidedReason = (typeof undecidedReasons)[number]

/**
 * "Received" counts at once. "Not received" counts after the endpoint's quiet period, and when it was
 * said twice; until then the verdict is `undecided`.
 */
export const queryStatus = defineRoute({
  method: 'POST',
  path: '/api/runs/:id/status-query',
  access: 'run.resolve',
  tag: 'Runs',
  summary: 'Ask the endpoint’s status query what became of a step',
  params: idParams,
  body: strictFields({ step: position, token }),
  response: z.object({
    message: z.string(),
    verdict: z.enum([...verdicts, 'undecided']),
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
    endpoint_1: correction,
    endpoint_2: correction2,
    endpoint_3: correction,
    endpoint_4: correction,
    from_start: flag,
  }),
  response: runAnswer,
})
