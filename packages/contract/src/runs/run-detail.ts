import { z } from 'zod'
import { flag } from '../kernel/fields.ts'
import { idParams } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { runRelease } from './asked-release.ts'
import { queuePlace } from './queue-place.ts'
import { stepDocument } from './step-documents.ts'
import { stepHealing } from './step-healing.ts'
import { attemptKinds, effects, outcomes, runRecord, stepHead } from './run-summary.ts'

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
  /** Null while it is under way, and for a person's verdict. */
  outcome: z.enum(outcomes).nullable(),
  error_code: z.string().nullable(),
  status: z.number().int().nullable(),
  duration_ms: z.number().nullable(),
  /** In words: why it failed, or the result of a status query. */
  detail: z.string().nullable(),
  /** The address; null for a person's verdict. */
  url: z.string().nullable(),
  answer_headers: z.record(z.string(), z.string()).nullable(),
  answer_body: keptText.nullable(),
  /** The user who made the attempt; null in attempts of earlier versions. */
  user_name: z.string().nullable(),
  note: z.string().nullable(),
  reference: z.string().nullable(),
})
export type RunAttempt = z.output<typeof runAttempt>

const runStepDetail = stepHead.extend({
  endpoint_id: z.number().int(),
  effect: z.enum(effects),
  /** The reason for the step's state, in words; null where there is nothing to say. */
  message: z.string().nullable(),
  /** The run that holds the document which this step carries; null where no run does. */
  blocked_by: z.number().int().nullable(),
  /** The authority asked to wait: not to be sent before. */
  not_before: z.string().nullable(),
  uuid: z.string(),
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
  /** True where a credential is sent too, which is not kept. */
  has_credential: z.boolean(),
  /** The answer was taken over from the run that this one retries; nothing was sent. */
  is_reused: z.boolean(),
  /** What may be done about an unknown outcome of this step. */
  can: z.object({ resolve: z.boolean(), resend: z.boolean(), status_query: z.boolean() }),
  /** What "It was received" asks for, so that no document is accepted unseen. */
  received_asks: z.enum(['nothing', 'submission', 'documents']),
  /** Values that the status query needs, and that a person has to type. */
  missing: z.array(z.string()),
  /** The progress of the status query; null where none can be made. */
  inquiry: z
    .object({
      quiet_seconds: z.number().int(),
      /** How many answers "not received" count so far. */
      negatives: z.number().int(),
      negatives_needed: z.number().int(),
      /** Before this moment "not received" does not count; null where it counts now. */
      ask_again_after: z.string().nullable(),
    })
    .nullable(),
  /** What is done about it without a person; null where that is nothing of its own. */
  healing: stepHealing.nullable(),
  /** What it carries, and what became of each. */
  documents: z.array(stepDocument),
  /** Of a partly accepted step: the body with the rejected documents alone, as it is to be typed. */
  rejected_body: keptText.nullable(),
  /** How the decision is asked for; null where the step is not pending. */
  pending: z
    .object({
      since: z.string(),
      /** When the next question is due. */
      next_at: z.string(),
      asked_at: z.string().nullable(),
      tries: z.number().int(),
      /** What the authority gave to ask by; null: the document's reference. */
      ask_by: z.string().nullable(),
      /** Why the last question brought no answer. */
      problem: z.string().nullable(),
      /** From then on the outcome counts as unknown. */
      give_up_at: z.string(),
    })
    .nullable(),
  attempts: z.array(runAttempt),
})
export type RunStepDetail = z.output<typeof runStepDetail>

const runDetail = runRecord.extend({
  request_id: z.string(),
  /** The trace that its spans are in (W3C Trace Context); null where spans were off when it began. */
  trace_id: z.string().nullable(),
  /** The batch whose input it carries, and its place there; null for others. */
  batch: z.object({ id: z.number().int(), line: z.number().int() }).nullable(),
  /**
   * Where its bodies and answers are, if not in the database; they are null here unless they were read
   * back (`is_read`).
   */
  archive: z
    .object({
      file_id: z.number().int(),
      file: z.string(),
      line: z.number().int(),
      is_read: z.boolean(),
    })
    .nullable(),
  /** Null unless it is queued. */
  queue: queuePlace.nullable(),
  /** Null where nobody had to release it. */
  release: runRelease.nullable(),
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
  /** Queued only: take it out of its lane. */
  cancel: z.object({ is_allowed: z.boolean(), refusal: z.string().nullable() }),
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
  /** `archived=1` reads bodies and answers back from the archive. */
  query: z.object({ archived: flag }),
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

/**
 * Server-sent events: `event: run` with a run summary as JSON, at once and upon every change;
 * a comment line every 15 s; the stream ends when the run does, or after 15 minutes. For holders of
 * `run.view` and for the person whose run it is; any other user gets 404.
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
