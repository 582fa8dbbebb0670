import { factsOfAlarm, type AlarmKind, type Outcome } from '@gatehouse/contract'
import type { OpenAlarm } from '../finding.ts'
import { momentWords } from '../moment-words.ts'

/** What a message is about. */
export const newsKinds = ['raised', 'repeated', 'escalated', 'ended'] as const
export type NewsKind = (typeof newsKinds)[number]

interface Message {
  subject: string
  text: string
  /** For webhooks. */
  data: object
}

/** What was seen of what was sent, by the id of an alarm about an unknown outcome. */
export type ReasonsOfAlarms = ReadonlyMap<number, Outcome>

interface About {
  /** Where users reach the dashboard; undefined: links are paths. */
  baseUrl: string | undefined
  reasons: ReasonsOfAlarms
}

const listedMax = 20
const alarmsPath = '/dashboard/admin/alarms'

const openings: Record<NewsKind, string> = {
  raised: '',
  repeated: 'Still: ',
  escalated: 'Not acknowledged: ',
  ended: 'Over: ',
}

const linkTo = (baseUrl: string | undefined, path: string) => `${baseUrl ?? ''}${path}`

/** Says what happened, since when, what it means, what to do next, and where to look. */
export function messageOf(
  news: NewsKind,
  alarms: readonly OpenAlarm[],
  { baseUrl, reasons }: About,
): Message {
  const [only] = alarms
  const heading = only && alarms.length === 1 ? only.title : countsOf(alarms)
  const shown = alarms.slice(0, listedMax)
  const text =
    only && alarms.length === 1
      ? single(news, only, { baseUrl, reasons })
      : digest(news, alarms, { baseUrl, reasons })
  const counts = countsByReason(alarms, reasons)
  return {
    subject: `[Gatehouse] ${openings[news]}${heading}`.slice(0, 200),
    text,
    data: {
      count: alarms.length,
      ...(counts.length > 0 ? { reasons: Object.fromEntries(counts) } : {}),
      url: linkTo(baseUrl, alarmsPath),
      alarms: shown.map((alarm) => dataOf(alarm, baseUrl)),
    },
  }
}

/** How often each reason, the most frequent first. */
function countsByReason(
  alarms: readonly OpenAlarm[],
  reasons: ReasonsOfAlarms,
): [Outcome, number][] {
  const known = alarms.flatMap(({ id }) => reasons.get(id) ?? [])
  return [...Map.groupBy(known, (reason) => reason)]
    .map(([reason, { length }]): [Outcome, number] => [reason, length])
    .toSorted(([, one], [, other]) => other - one)
}

const reasonWords: Partial<Record<Outcome, string>> = {
  cut: 'the connection was lost',
  timeout: 'no answer in time',
  server_error: 'an error of the other side',
  crash: 'a server of Gatehouse ended',
  duplicate: 'known already',
}

/** `By reason: no answer in time (30), the connection was lost (7)`; nothing where no reason is known. */
function reasonLines(alarms: readonly OpenAlarm[], reasons: ReasonsOfAlarms): string[] {
  const counts = countsByReason(alarms, reasons)
  if (counts.length === 0) return []
  const words = counts.map(([reason, count]) => `${reasonWords[reason] ?? reason} (${count})`)
  return [`By reason: ${words.join(', ')}`]
}

function single(news: NewsKind, alarm: OpenAlarm, { baseUrl, reasons }: About): string {
  const { title, since, path, kind, raised_at, ended_at, rule_name } = alarm
  const lines = [
    `${openings[news]}${title}.`,
    '',
    `Since: ${momentWords(since)}`,
    ...(ended_at === null ? [] : [`Over: ${momentWords(ended_at)}`]),
    ...(news === 'escalated'
      ? [`Raised, and not acknowledged since: ${momentWords(raised_at)}`]
      : []),
    ...(news === 'ended' ? [] : [...reasonLines([alarm], reasons), ...adviceOf(kind)]),
    '',
    `Look at it: ${linkTo(baseUrl, path)}`,
    `All alarms: ${linkTo(baseUrl, alarmsPath)}`,
    '',
    `Rule: ${rule_name}`,
  ]
  return `${lines.join('\n')}\n`
}

function digest(news: NewsKind, alarms: readonly OpenAlarm[], { baseUrl, reasons }: About): string {
  const parts = [...Map.groupBy(alarms, ({ kind }) => kind)].map(([kind, group]) => {
    const rest = group.length - listedMax
    return [
      `${group.length} ${factsOfAlarm(kind).several}`,
      ...(news === 'ended' ? [] : [...reasonLines(group, reasons), ...adviceOf(kind)]),
      ...group
        .slice(0, listedMax)
        .map(
          ({ title, since, path }) =>
            `- ${title}, since ${momentWords(since)}: ${linkTo(baseUrl, path)}`,
        ),
      ...(rest > 0 ? [`- and ${rest} more`] : []),
      '',
    ].join('\n')
  })
  const heading = `${openings[news]}${countsOf(alarms)}.`
  return `${heading}\n\n${parts.join('\n')}\nAll alarms: ${linkTo(baseUrl, alarmsPath)}\n`
}

function adviceOf(kind: AlarmKind): string[] {
  const { means, next } = factsOfAlarm(kind)
  return [`What it means: ${means}`, `What to do: ${next}`]
}

/** `37 runs with an unknown outcome, 2 lanes in an outage`. */
const countsOf = (alarms: readonly OpenAlarm[]) =>
  [...Map.groupBy(alarms, ({ kind }) => kind)]
    .map(([kind, group]) => `${group.length} ${factsOfAlarm(kind).several}`)
    .join(', ')

function dataOf(alarm: OpenAlarm, baseUrl: string | undefined) {
  const { id, kind, title, path, since, raised_at, ended_at, rule_name } = alarm
  const { means, next } = factsOfAlarm(kind)
  const url = linkTo(baseUrl, path)
  return { id, what: kind, title, since, raised_at, ended_at, rule: rule_name, url, means, next }
}
