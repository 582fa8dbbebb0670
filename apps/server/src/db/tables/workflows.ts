import type { WorkflowKind, WorkflowStatus } from '@gatehouse/contract'
import type { Generated } from 'kysely'
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

/** What its workflows say of it. */
export const laneForm = {
  name: text,
  concurrency: number,
  per_second: numberOrNull,
  per_minute: numberOrNull,
  per_hour: numberOrNull,
  max_age_minutes: numberOrNull,
  is_strict_order: flag,
}

export const lane = {
  id: generatedNumber,
  ...laneForm,
  is_paused: generatedFlag,
  paused_at: textOrNull,
  /** Null where the product paused the lane itself: a sign-in was refused. */
  paused_by: textOrNull,
  pause_reason: generatedText,
  is_draining: generatedFlag,
  /** Tries in a row that did not reach the authority. */
  failures: column<Generated<number>>(),
  outage_since: textOrNull,
  next_try_at: textOrNull,
}

export const workflowListed = {
  id: generatedNumber,
  slug: text,
  name: text,
  kind: column<WorkflowKind>(),
  status: column<WorkflowStatus>(),
  description: text,
  version: number,
  steps_count: generatedNumber,
  updated_at: text,
}

export const workflow = {
  ...workflowListed,
  lane_id: number,
  created_at: text,
  /** Its runs stay in the ledger. A deleted workflow gives its slug back. */
  deleted_at: textOrNull,
}

export const workflowVersion = {
  workflow_id: number,
  version: number,
  /** JSON: the whole definition. */
  definition: text,
  user_id: number,
  user_name: text,
  created_at: text,
  /** Names of the fields that differ from the version before, with commas between. */
  changes: generatedText,
}

export const roleWorkflow = {
  role_id: number,
  workflow_id: number,
}

/** The endpoints that the version in force calls. */
export const workflowEndpoint = {
  workflow_id: number,
  endpoint_id: number,
}

export const batch = {
  id: generatedNumber,
  workflow_id: number,
  workflow_version: number,
  user_id: number,
  user_name: text,
  file_name: generatedText,
  total: number,
  is_test: generatedFlag,
  is_paused: generatedFlag,
  cancelled_at: textOrNull,
  idempotency_key: textOrNull,
  content_sha256: text,
  created_at: text,
  /** The server that stores it. Null once it is stored. */
  stored_by: textOrNull,
  /** 0: its entries in the lane do not yet follow `is_paused` and `cancelled_at`. */
  is_settled: generatedFlag,
  /** 1: each input is a run. More: the inputs have rows of their own. */
  inputs_per_run: generatedNumber,
  /** When its end was reported, or it was found that nobody asks for a report. */
  reported_at: textOrNull,
}

/** An input of a batch whose runs take several. */
export const batchInput = {
  batch_id: number,
  line: number,
  /** The latest run that takes it. */
  run_id: number,
  /** Its place in the list that is the input of that run. */
  position: number,
  reference: textOrNull,
}

/** The secrets that the callbacks of a workflow are signed with. */
export const workflowCallback = {
  workflow_id: number,
  /** The secret is for this host only. */
  host: text,
  secret: text,
  set_at: text,
  old_secret: textOrNull,
  /** Until then the old one signs too. */
  old_until: textOrNull,
}

export const runInput = {
  run_id: number,
  /** The JSON as it was sent, byte for byte. */
  body: text,
}

/**
 * `held`: what became of the run is not decided yet (unknown, pending). It takes no place, and later runs
 * with its order key wait for it.
 */
type LaneEntryState = 'queued' | 'running' | 'held' | 'waiting'

/** A run that is in a lane. */
export const laneEntry = {
  run_id: number,
  lane_id: number,
  /** 0: a caller waits; 1: a line of a batch. */
  priority: number,
  state: column<LaneEntryState>(),
  /** Null where the lane did not keep an order when the run was taken. */
  order_key: textOrNull,
  /** 1: no earlier run with the same order key is in the lane. */
  is_first: flag,
  queued_at: text,
  next_try_at: textOrNull,
  deadline_at: textOrNull,
  tries: generatedNumber,
  message: textOrNull,
  /** Sign-ins of this run that were refused, one after the other. */
  refusals: generatedNumber,
  /** A digest of what a person released; null: nobody had to. */
  released_sha256: textOrNull,
}

export const laneRate = {
  lane_id: number,
  /** JSON: the calls under way by server, and those that ended, in buckets. */
  state: text,
}
