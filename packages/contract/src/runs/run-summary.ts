import { z } from 'zod'

export const runKinds = ['build', 'tax', 'credit'] as const
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

export const runSummary = z.object({
  id: z.number().int(),
  state: z.enum(runStates),
  kind: z.enum(runKinds),
  is_test: z.boolean(),
  /** A test invoice without a test base URL: what changes something is not sent. */
  is_dry_run: z.boolean(),
  steps: z.array(
    z.object({
      position: z.number().int(),
      endpoint_id: z.number().int().nullable(),
      endpoint_name: z.string(),
      method: z.string(),
      state: z.enum(stepStates),
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

/** 200: every step succeeded. Refusals of a run that began carry the same `run` (502, 504). */
export const runAnswer = z.object({ message: z.string(), run: runSummary })
