import type { AlarmRecord } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'

/** Until when an alarm is muted, itself or its rule; null: it is not. */
export function mutedUntil(
  { rule_id, subject }: Pick<Row<'alarm'>, 'rule_id' | 'subject'>,
  mutes: readonly Row<'alarm_mute'>[],
): string | null {
  const ends = mutes
    .filter((mute) => mute.rule_id === rule_id && ['', subject].includes(mute.subject))
    .map(({ until }) => until)
    .toSorted()
  return ends.at(-1) ?? null
}

export function toAlarmRecord(
  row: Row<'alarm'>,
  mutes: readonly Row<'alarm_mute'>[],
  registers: readonly string[],
): AlarmRecord {
  const { id, kind, subject, title, path, since, raised_at, ended_at, told_at } = row
  const { acknowledged_at, acknowledged_by, note, rule_id, rule_name } = row
  const isOpen = acknowledged_at === null
  return {
    id,
    kind,
    state: ended_at !== null ? 'ended' : isOpen ? 'open' : 'acknowledged',
    rule: { id: rule_id, name: rule_name },
    subject,
    title,
    registers: [...registers],
    path,
    since,
    raised_at,
    ended_at,
    told_at,
    acknowledged: isOpen ? null : { at: acknowledged_at, by: acknowledged_by ?? '', note },
    muted_until: ended_at === null ? mutedUntil(row, mutes) : null,
  }
}
