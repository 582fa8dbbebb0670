import { z } from 'zod'

/**
 * `general`: a workflow that is neither a tax nor a credit bundle. `call`: the call of an agent that a person has
 * to release.
 */
export const runKinds = ['build', 'tax', 'credit', 'general', 'call'] as const
export type RunKind = (typeof runKinds)[number]

/** States of a step (spec: outcomes): `unknown` means sent, with an outcome that is not known. */
export const stepStates = [
  'waiting',
  'sending',
  'succeeded',
  'rejected',
  'blocked',
  'unknown',
  // A dry run: resolved and checked, but not sent.
  'would_send',
  // The step's condition does not hold.
  'skipped',
  // The authority has taken it and says later whether it accepts it.
  'pending',
  // Of several documents in one request, some were accepted and some rejected.
  'partial',
] as const
export type StepState = (typeof stepStates)[number]

/**
 * A run's state is that of the step that decides it; `running` while one is under way. Where that
 * step was not started, the run is `not_started` if no step before it succeeded, else `stopped`.
 */
export const runStates = [
  'running',
  'succeeded',
  'not_started',
  'stopped',
  'rejected',
  'blocked',
  'unknown',
  // In a lane, not started or to be tried again.
  'queued',
  'pending',
  'partial',
  // Taken out of its lane before anything of it was sent, or not released.
  'cancelled',
  // Nothing of it is sent before a person releases it.
  'waits_for_release',
] as const
export type RunState = (typeof runStates)[number]

/** What was seen of one attempt (spec: outcomes). */
export const outcomes = [
  'ok',
  'ok_duplicate',
  'duplicate',
  'rejected',
  'auth',
  'throttled',
  'not_sent',
  'cut',
  'timeout',
  'server_error',
  'crash',
  // 2xx that the endpoint's pending rule calls taken: the decision comes later.
  'pending',
  // 2xx that accepted some documents of the request and rejected others.
  'partial',
] as const
export type Outcome = (typeof outcomes)[number]

/** A first send, a resend of the same bytes, a status query, a person's verdict, or a late answer. */
export const attemptKinds = [
  'send',
  'resend',
  'status_query',
  'resolved_received',
  'resolved_not_received',
  // The answer to an earlier attempt that reached the ledger after that attempt was closed.
  'late_answer',
] as const
export type AttemptKind = (typeof attemptKinds)[number]

/** Effect of a step: decides whether an attempt without an answer may be repeated. */
export const effects = ['read', 'idempotent', 'submit'] as const
export type Effect = (typeof effects)[number]

/** What every view of a run shows. */
const runHead = z.object({
  id: z.number().int(),
  kind: z.enum(runKinds),
  state: z.enum(runStates),
  is_test: z.boolean(),
  /** A test invoice without a test base URL: what changes something is not sent. */
  is_dry_run: z.boolean(),
})

/** What every view of a step shows. */
export const stepHead = z.object({
  position: z.number().int(),
  endpoint_name: z.string(),
  method: z.string(),
  state: z.enum(stepStates),
})

/** Who made a run, when, and which runs it belongs to: what the history and the run's page show. */
export const runRecord = runHead.extend({
  reference: z.string().nullable(),
  /** Of the documents that its steps carry, in the order of the steps (spec: document-register). */
  registers: z.array(z.string()),
  user_id: z.number().int(),
  user_name: z.string(),
  created_at: z.string(),
  finished_at: z.string().nullable(),
  retry_of: z.number().int().nullable(),
  /** The run that was sent in its place, to correct it or with the same content. */
  overtaken_by: z.number().int().nullable(),
  is_closed: z.boolean(),
  /** What it carries out, by the name that the workflow has today; null outside of workflows. */
  workflow: z
    .object({ id: z.number().int(), name: z.string(), version: z.number().int() })
    .nullable(),
})

export const runSummary = runHead.extend({
  steps: z.array(
    stepHead.extend({
      endpoint_id: z.number().int().nullable(),
      /** Of the latest attempt. */
      outcome: z.enum(outcomes).nullable(),
      status: z.number().int().nullable(),
      duration_ms: z.number().nullable(),
      /** Why the step is where it is, in words; null where there is nothing to say. */
      message: z.string().nullable(),
    }),
  ),
})
export type RunSummary = z.output<typeof runSummary>

/**
 * 200: every step succeeded. 202: the authority has taken it and decides later. Refusals of a run that
 * began carry the same `run` (502, 504).
 */
export const runAnswer = z.object({ message: z.string(), run: runSummary })
