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
  json,
  jsonOrNull,
  number,
  numberOrNull,
  text,
  textOrNull,
} from './column.ts'

/** What every view of a run shows. */
export const runBrief = {
  id: generatedNumber,
  kind: column<RunKind>(),
  state: column<RunState>(),
  is_test: flag,
  is_dry_run: generatedFlag,
}

/** What lists and the page of a run show. */
export const runHead = {
  ...runBrief,
  reference: textOrNull,
  user_id: number,
  user_name: text,
  created_at: text,
  finished_at: textOrNull,
  retry_of: numberOrNull,
  /** The run that was sent in its place. */
  overtaken_by: numberOrNull,
}

export const run = {
  ...runHead,
  idempotency_key: textOrNull,
  content_sha256: textOrNull,
  request_id: text,
  /** The server that carries the run out, and the time until which it holds the run. */
  lease_owner: textOrNull,
  lease_until: textOrNull,
  epoch: generatedNumber,
  /** The idempotency key as the client sent it; `idempotency_key` holds it with user and kind. */
  client_key: textOrNull,
  unknown_since: textOrNull,
  /** Credit: the tax run of the document that it credits. */
  original_run_id: numberOrNull,
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

/** What every view of a step shows. */
export const stepBrief = {
  position: number,
  endpoint_id: number,
  endpoint_name: text,
  method: text,
  state: column<StepState>(),
  /** Why the step is in its state, in words. */
  message: textOrNull,
}

/** What the page of a run shows of a step, beside its texts. */
export const stepShown = {
  ...stepBrief,
  effect: column<Effect>(),
  uuid: text,
  /** Without secrets. */
  headers: json<Record<string, string>>(),
  dependency_field: textOrNull,
  not_before: textOrNull,
  /** Null while method, URL, headers and body are not final. */
  frozen_at: textOrNull,
  has_credential: generatedFlag,
  /** The run that holds the document which this step carries. */
  blocked_by: numberOrNull,
}

export const runStep = {
  id: generatedNumber,
  run_id: number,
  ...stepShown,
  url: text,
  body: textOrNull,
  /** What was typed; null where it is the same as `body`. */
  source_body: textOrNull,
  /** The step of an earlier run whose answer is used instead. */
  reused_from: numberOrNull,
  /** In a dry run: resolved and checked, but not sent. */
  is_dry: generatedFlag,
}

/** What the page of a run shows of an attempt, beside the body of the answer. */
export const attemptShown = {
  number: number,
  kind: column<Generated<AttemptKind>>(),
  started_at: text,
  finished_at: textOrNull,
  outcome: column<Outcome | null>(),
  error_code: textOrNull,
  status: numberOrNull,
  duration_ms: numberOrNull,
  detail: textOrNull,
  url: textOrNull,
  answer_headers: jsonOrNull<Record<string, string>>(),
  user_name: textOrNull,
  note: textOrNull,
  reference: textOrNull,
}

export const runAttempt = {
  id: generatedNumber,
  step_id: number,
  ...attemptShown,
  owner: text,
  answer_body: textOrNull,
  answer_bytes: numberOrNull,
  user_id: numberOrNull,
  /** What a status query said. */
  verdict: column<'received' | 'not_received' | 'pending' | 'rejected' | 'unclear' | null>(),
  /** 1: this status query settled the step. */
  has_settled: generatedFlag,
}
