import { outcomes, stepStates } from '@gatehouse/contract'
import { z } from 'zod'
import type { SeenAnswer } from '../ledger/finish-step.ts'
import type { LiveRun, OpenAttempt } from '../ledger/reading/live-run.ts'

/** A longer answer is kept without its body. Its outcome counts all the same. */
const bodyMaxCharacters = 1024 * 1024

/**
 * The outcome of an attempt, stored in a file while the ledger can't be written. It is enough to
 * finish the attempt later, or to add a late answer to an attempt that another server has finished.
 * It holds nothing that the ledger would not hold.
 */
export const runEvidence = z.object({
  version: z.literal(1),
  run_id: z.number().int(),
  /** The epoch of the run when the attempt was opened. */
  epoch: z.number().int(),
  step_id: z.number().int(),
  position: z.number().int(),
  attempt_id: z.number().int(),
  /** When the answer came, ISO 8601. */
  received_at: z.string(),
  outcome: z.enum(outcomes),
  state: z.enum(stepStates),
  message: z.string().nullable(),
  not_before: z.string().nullable(),
  kept: z.object({
    error_code: z.string().nullable(),
    status: z.number().int().nullable(),
    duration_ms: z.number().nullable(),
    detail: z.string().nullable(),
    answer_headers: z.string().nullable(),
    answer_body: z.string().nullable(),
    answer_bytes: z.number().int().nullable(),
  }),
  /** Where it is pending: what the authority is asked by; null: the document's reference. */
  ask_by: z.string().nullable().default(null),
  /** What the answer says of each of several documents. */
  documents: z
    .array(
      z.object({
        reference: z.string(),
        state: z.enum(['accepted', 'not_accepted', 'unknown', 'pending']),
        authority_reference: z.string().nullable(),
        message: z.string().nullable(),
      }),
    )
    .nullable()
    .default(null),
  /** The paths from the endpoint's settings. */
  authority_reference_path: z.string(),
  qr_path: z.string(),
})
export type RunEvidence = z.output<typeof runEvidence>

export function evidenceOf(
  live: LiveRun,
  { id, step }: OpenAttempt,
  seen: SeenAnswer,
  at: Date,
): RunEvidence {
  const { authority_reference_path, qr_path } = step.plan.target.settings
  const { kept } = seen
  const body = kept.answer_body ?? null
  return {
    version: 1,
    run_id: live.id,
    epoch: live.epoch,
    step_id: step.id,
    position: step.plan.position,
    attempt_id: id,
    received_at: at.toISOString(),
    outcome: seen.classified.outcome,
    state: seen.classified.state,
    message: seen.message,
    not_before: seen.notBefore,
    kept: {
      error_code: kept.error_code ?? null,
      status: kept.status ?? null,
      duration_ms: kept.duration_ms ?? null,
      detail: kept.detail ?? null,
      answer_headers: kept.answer_headers ?? null,
      answer_body: body !== null && body.length > bodyMaxCharacters ? null : body,
      answer_bytes: kept.answer_bytes ?? null,
    },
    ask_by: seen.classified.askBy ?? null,
    documents: seen.classified.documents
      ? [...seen.classified.documents].map(([reference, said]) => ({
          reference,
          state: said.state,
          authority_reference: said.authorityReference ?? null,
          message: said.message ?? null,
        }))
      : null,
    authority_reference_path,
    qr_path,
  }
}

/** The same without the answer's body, for a folder that is almost full. */
export const withoutBody = (evidence: RunEvidence): RunEvidence => ({
  ...evidence,
  kept: { ...evidence.kept, answer_body: null },
})
