import type { HookPreset } from '@gatehouse/contract'
import { column, generatedFlag, generatedNumber, number, text, textOrNull } from './column.ts'

/** Lets another system start runs of a workflow. */
export const hook = {
  id: generatedNumber,
  /** Its address is `/hooks/` and this. */
  name: text,
  workflow_id: number,
  preset: column<HookPreset>(),
  /** JSON: how the sender signs. */
  scheme: text,
  window_seconds: number,
  /** JSON: which messages start a run. Null: all. */
  filter: textOrNull,
  is_paused: generatedFlag,
  /** Sealed. */
  secret: text,
  secret_set_at: text,
  old_secret: textOrNull,
  old_secret_until: textOrNull,
  /** On whose behalf runs are started. */
  user_id: number,
  user_name: text,
  created_at: text,
  last_received_at: textOrNull,
  last_refused_at: textOrNull,
  last_refusal: textOrNull,
}

/** A message that was taken; it is not taken again. */
export const hookReceipt = {
  hook_id: number,
  receipt_key: text,
  run_id: number,
  remove_at: text,
}
