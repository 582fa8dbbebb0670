import type { Row } from '../../../db/tables.ts'
import type { Stores } from '../../../stores.ts'
import { mutedUntil } from '../alarm-record.ts'
import { idsIn, type OpenAlarm } from '../finding.ts'
import type { Rule } from '../rule-settings.ts'
import { messageOf, newsKinds, type NewsKind, type ReasonsOfAlarms } from './alarm-words.ts'
import { readChannel, type ChannelRow } from './channel-settings.ts'

interface Telling {
  now: Date
  rules: readonly Rule[]
  /** Those that are open after this check, and those that it has ended. */
  open: readonly OpenAlarm[]
  ended: readonly OpenAlarm[]
  /** Where users reach the dashboard; undefined: links are paths. */
  baseUrl: string | undefined
}

interface News {
  what: NewsKind
  alarm: OpenAlarm
  channelIds: readonly number[]
}

/**
 * Leaves in the outbox what channels are to be told. Call it in the transaction of the check, so that an alarm
 * is told once: both are committed, or none.
 */
export async function tellAlarms(stores: Stores, telling: Telling): Promise<void> {
  const { alarms, alarmChannels, alarmRules } = stores
  const at = telling.now.toISOString()
  const channels = (await alarmChannels.listAll()).filter(({ is_on }) => is_on === 1)
  if (channels.length === 0) return
  const news = newsOf(telling, channels, await alarmRules.listMutes(at))
  const idsOf = (...kinds: NewsKind[]) =>
    news.filter(({ what }) => kinds.includes(what)).map(({ alarm }) => alarm.id)
  const told = idsOf('raised', 'repeated')
  const escalated = idsOf('escalated')
  if (told.length > 0) await alarms.change(told, { told_at: at })
  if (escalated.length > 0) await alarms.change(escalated, { escalated_at: at })
  const reasons = await reasonsOf(stores, news)
  for (const channel of channels)
    for (const what of newsKinds) {
      const own = news.filter((each) => each.what === what && each.channelIds.includes(channel.id))
      if (what === 'ended' && channel.tells_end === 0) continue
      await send(stores, { channel, what, telling, reasons, alarms: own.map(({ alarm }) => alarm) })
    }
}

interface Sending {
  channel: ChannelRow
  what: NewsKind
  telling: Telling
  reasons: ReasonsOfAlarms
  alarms: readonly OpenAlarm[]
}

/** Why outcomes are unknown, by the id of the alarm. */
async function reasonsOf(
  { alarmSources }: Stores,
  news: readonly News[],
): Promise<ReasonsOfAlarms> {
  const unknown = news.flatMap(({ what, alarm }) =>
    alarm.kind === 'unknown' && what !== 'ended' ? [alarm] : [],
  )
  if (unknown.length === 0) return new Map()
  const ofRuns = await alarmSources.unknownReasons(idsIn(unknown, 'run'))
  return new Map(
    unknown.flatMap((alarm) => {
      const reason = ofRuns.get(idsIn([alarm], 'run')[0] ?? 0)
      return reason === undefined ? [] : [[alarm.id, reason] as const]
    }),
  )
}

/** Each alarm is a message. Where they are many, they are one together. */
async function send(
  stores: Stores,
  { channel, what, telling, reasons, alarms }: Sending,
): Promise<void> {
  const messages = alarms.length > channel.digest_above ? [alarms] : alarms.map((alarm) => [alarm])
  for (const group of messages) {
    const { subject, text, data } = messageOf(what, group, { baseUrl: telling.baseUrl, reasons })
    const timestamp = telling.now.toISOString()
    const { host, url } = readChannel(channel)
    const isMail = channel.kind === 'e-mail'
    await stores.deliveries.insert({
      kind: 'alarm',
      channel: channel.kind,
      subject,
      target: isMail
        ? { to: readChannel(channel).to, host, channel: channel.id }
        : { url, secret: { of: 'alarm', id: channel.id } },
      payload: JSON.stringify(
        isMail ? { subject, text } : { type: `alarm.${what}`, timestamp, data },
      ),
      orderKey: `alarm-channel:${channel.id}`,
      alarmId: group[0]?.id ?? null,
    })
  }
}

function newsOf(
  telling: Telling,
  channels: readonly ChannelRow[],
  mutes: readonly Row<'alarm_mute'>[],
): News[] {
  const ruleOf = new Map(telling.rules.map((rule) => [rule.id, rule]))
  const known = new Set(channels.map(({ id }) => id))
  const all = [...known]
  const news: News[] = []
  for (const alarm of [...telling.open, ...telling.ended]) {
    const rule = ruleOf.get(alarm.rule_id)
    if (!rule || mutedUntil(alarm, mutes) !== null) continue
    const first = rule.channels.is_all ? all : rule.channels.ids.filter((id) => known.has(id))
    const second = rule.escalation_ids.filter((id) => known.has(id))
    if (alarm.ended_at !== null) {
      const isTold = alarm.told_at !== null && !alarm.subject.startsWith('late:')
      const told = alarm.escalated_at === null ? first : [...new Set([...first, ...second])]
      if (isTold) news.push({ what: 'ended', alarm, channelIds: told })
      continue
    }
    if (alarm.acknowledged_at !== null) continue
    const what = dueOf(alarm, rule, telling.now)
    if (what && first.length > 0) news.push({ what, alarm, channelIds: first })
    if (second.length > 0 && isEscalating(alarm, rule, telling.now))
      news.push({ what: 'escalated', alarm, channelIds: second })
  }
  return news
}

const passed = (from: string, ms: number, now: Date) => now.getTime() - Date.parse(from) >= ms

function dueOf(alarm: OpenAlarm, rule: Rule, now: Date): 'raised' | 'repeated' | undefined {
  if (alarm.told_at === null) return 'raised'
  const isDue = rule.repeat_hours > 0 && passed(alarm.told_at, rule.repeat_hours * 3_600_000, now)
  return isDue ? 'repeated' : undefined
}

const isEscalating = (alarm: OpenAlarm, { escalate_minutes }: Rule, now: Date) =>
  escalate_minutes !== null &&
  alarm.escalated_at === null &&
  passed(alarm.raised_at, escalate_minutes * 60_000, now)
