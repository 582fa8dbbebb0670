import type { HookFilter, HookPreset, HookScheme } from '@gatehouse/contract'
import {
  column,
  generatedFlag,
  generatedNumber,
  json,
  jsonOrNull,
  number,
  text,
  textOrNull,
} from './column.ts'

/** What is asked of a message. */
export const hookRules = {
  /** How the sender signs. */
  scheme: json<HookScheme>(),
  /** Which messages start a run. Null: all. */
  filter: jsonOrNull<HookFilter>(),
}

/** What its form says. */
export const hookForm = {
  /** Its address is `/hooks/` and this. */
  name: text,
  preset: column<HookPreset>(),
  ...hookRules,
  window_seconds: number,
  is_paused: generatedFlag,
}

/** What its record shows. */
export const hookShown = {
  id: generatedNumber,
  ...hookForm,
  workflow_id: number,
  user_name: text,
  secret_set_at: text,
  old_secret_until: textOrNull,
  last_received_at: textOrNull,
  last_refused_at: textOrNull,
  last_refusal: textOrNull,
}

/** Lets another system start runs of a workflow. */
export const hook = {
  ...hookShown,
  /** Sealed. */
  secret: text,
  old_secret: textOrNull,
  /** On whose behalf runs are started. */
  user_id: number,
  created_at: text,
}

/** A message that was taken; it is not taken again. */
export const hookReceipt = {
  hook_id: number,
  receipt_key: text,
  run_id: number,
  remove_at: text,
}
