import type { FiringState, ScheduleStart } from '@gatehouse/contract'
import { column, flag, generatedNumber, number, text, textOrNull } from './column.ts'

/** What its form says, but for what it starts with. */
export const scheduleForm = {
  name: text,
  cron: text,
  time_zone: text,
  is_active: flag,
  catches_up: flag,
  start: column<ScheduleStart>(),
}

export const schedule = {
  id: generatedNumber,
  workflow_id: number,
  ...scheduleForm,
  /** JSON: the input of each run. Null where a list is fetched. */
  input: textOrNull,
  /** JSON: where the list is fetched. Null where the input is fixed. */
  list: textOrNull,
  watermark: textOrNull,
  /** On whose behalf it runs: the user who saved it last. */
  user_id: number,
  user_name: text,
  /** Null while it is paused, and where no moment is left. */
  next_run_at: textOrNull,
  version: generatedNumber,
  created_at: text,
  updated_at: text,
}

/** What is shown of a moment of a schedule. */
export const firingShown = {
  id: generatedNumber,
  planned_for: text,
  started_at: text,
  ended_at: textOrNull,
  state: column<FiringState>(),
  is_by_hand: flag,
  found: generatedNumber,
  old: generatedNumber,
  known: generatedNumber,
  started: generatedNumber,
  refused: generatedNumber,
  message: textOrNull,
}

/** A moment of a schedule, and what came of it. */
export const scheduleFiring = {
  ...firingShown,
  schedule_id: number,
  user_id: number,
  /** The server that carries it out. Past `lease_until` another one continues it. */
  lease_owner: textOrNull,
  lease_until: textOrNull,
}

/** What a schedule has taken, so that it takes nothing twice. */
export const scheduleItem = {
  schedule_id: number,
  /** A hash of the reference, the content or the moment. */
  item_key: text,
  firing_id: number,
  run_id: number,
}
