import type { Generated } from 'kysely'
import type {
  AttemptKind,
  Effect,
  Outcome,
  ReleaseDecision,
  RunKind,
  RunState,
  StepState,
} from '@gatehouse/contract'
import {
  column,
  flag,
  generatedFlag,
  generatedNumber,
  generatedText,
  number,
  numberOrNull,
  text,
  textOrNull,
} from './column.ts'

export const run = {
  id: generatedNumber,
  kind: column<RunKind>(),
  state: column<RunState>(),
  is_test: flag,
  idempotency_key: textOrNull,
  content_sha256: textOrNull,
  reference: textOrNull,
  retry_of: numberOrNull,
  user_id: number,
  user_name: text,
  request_id: text,
  created_at: text,
  finished_at: textOrNull,
  /** The server that carries the run out, and the time until which it holds the run. */
  lease_owner: textOrNull,
  lease_until: textOrNull,
  epoch: generatedNumber,
  /** The idempotency key as the client sent it; `idempotency_key` holds it with user and kind. */
  client_key: textOrNull,
  unknown_since: textOrNull,
  /** Credit: the tax run of the document that it credits. */
  original_run_id: numberOrNull,
  is_dry_run: generatedFlag,
  /** The run that was sent in its place. */
  overtaken_by: numberOrNull,
  closed_at: textOrNull,
  closed_by_id: numberOrNull,
  closed_by_name: textOrNull,
  closed_reason: textOrNull,
  search_text: generatedText,
  /** The version of the workflow that the run carries out; null outside of workflows. */
  workflow_id: numberOrNull,
  workflow_version: numberOrNull,
  batch_id: numberOrNull,
  /** From 1. */
  batch_line: numberOrNull,
  /** Null where the run was made while spans were off. */
  trace_id: textOrNull,
  /** The caller's span; null: the trace begins with the run. */
  trace_parent_id: textOrNull,
  is_trace_sampled: generatedFlag,
  /** When a server last took the run to carry it out. */
  taken_at: textOrNull,
  /** Null: the run was carried out here. Else nothing is known of it but what was found. */
  found_in: column<'journal' | 'authority' | null>(),
  /** 1: healing looks after it although no machine has started it. */
  heals: generatedFlag,
  /** When the authority last said that it has what counts as not received. */
  contradicted_at: textOrNull,
}

/** A run that a person has to release. */
export const runRelease = {
  run_id: number,
  via: column<'agent' | 'token'>(),
  asked_by: text,
  /** Counts where the lane keeps a strict order. */
  order_key: textOrNull,
  asked_at: text,
  expires_at: text,
  /** Null: nobody has decided yet. */
  decision: column<ReleaseDecision | null>(),
  decided_at: textOrNull,
  decided_by_id: numberOrNull,
  decided_by_name: textOrNull,
  note: textOrNull,
}

export const runStep = {
  id: generatedNumber,
  run_id: number,
  position: number,
  endpoint_id: number,
  endpoint_name: text,
  effect: column<Effect>(),
  state: column<StepState>(),
  uuid: text,
  method: text,
  url: text,
  /** JSON object, without secrets. */
  headers: text,
  body: textOrNull,
  /** What was typed; null where it is the same as `body`. */
  source_body: textOrNull,
  dependency_field: textOrNull,
  /** Why the step is in its state, in words. */
  message: textOrNull,
  not_before: textOrNull,
  /** Null while method, URL, headers and body are not final. */
  frozen_at: textOrNull,
  /** The step of an earlier run whose answer is used instead. */
  reused_from: numberOrNull,
  /** In a dry run: resolved and checked, but not sent. */
  is_dry: generatedFlag,
  has_credential: generatedFlag,
  /** The run that holds the document which this step carries. */
  blocked_by: numberOrNull,
}

export const runAttempt = {
  id: generatedNumber,
  step_id: number,
  number: number,
  owner: text,
  started_at: text,
  finished_at: textOrNull,
  outcome: column<Outcome | null>(),
  error_code: textOrNull,
  status: numberOrNull,
  answer_headers: textOrNull,
  answer_body: textOrNull,
  answer_bytes: numberOrNull,
  duration_ms: numberOrNull,
  kind: column<Generated<AttemptKind>>(),
  user_id: numberOrNull,
  user_name: textOrNull,
  note: textOrNull,
  reference: textOrNull,
  detail: textOrNull,
  url: textOrNull,
  /** What a status query said. */
  verdict: column<'received' | 'not_received' | 'pending' | 'rejected' | 'unclear' | null>(),
  /** 1: this status query settled the step. */
  has_settled: generatedFlag,
}
