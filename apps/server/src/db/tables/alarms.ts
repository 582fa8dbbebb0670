import type { AlarmKind } from '@gatehouse/contract'
import { column, flag, generatedNumber, generatedText, number, text, textOrNull } from './column.ts'

/** What a form says, beside the settings. */
export const alarmRuleForm = { name: text, kind: column<AlarmKind>(), is_on: flag }

export const alarmRule = {
  id: generatedNumber,
  ...alarmRuleForm,
  /** JSON: see `rule-settings.ts`. */
  settings: text,
  /** The first check since it was switched on; what was before is no alarm. */
  on_since: textOrNull,
  version: generatedNumber,
}

export const alarm = {
  id: generatedNumber,
  rule_id: number,
  rule_name: text,
  kind: column<AlarmKind>(),
  /** What it is about: `run:12`. */
  subject: text,
  /** How severe, where that grows: the days until a certificate expires. */
  level: generatedText,
  title: text,
  path: text,
  since: text,
  raised_at: text,
  told_at: textOrNull,
  escalated_at: textOrNull,
  acknowledged_at: textOrNull,
  acknowledged_by: textOrNull,
  note: generatedText,
  ended_at: textOrNull,
}

export const alarmMute = {
  rule_id: number,
  /** Blank: everything of the rule. */
  subject: text,
  until: text,
}

/** What a form says, beside the settings. */
export const alarmChannelForm = {
  name: text,
  kind: column<'e-mail' | 'webhook'>(),
  is_on: flag,
  /** 1: it is also told when an alarm is over. */
  tells_end: flag,
  /** More news than this in one check are one message. */
  digest_above: number,
}

export const alarmChannel = {
  id: generatedNumber,
  ...alarmChannelForm,
  /** JSON, without secrets. */
  settings: text,
  secret_encrypted: textOrNull,
  version: generatedNumber,
}
