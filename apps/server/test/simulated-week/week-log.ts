import type { WeekReport } from './simulate-week.ts'
import { events } from './the-week.ts'

/** The log of a week, as a table in Markdown: what happened, and the alarms that came, by time. */
export function logOf({ firings, alarms, accepted, reports }: WeekReport): string {
  const rows = [
    ...events.map(({ at, what }) => [at.replace('T', ' '), what, '']),
    ...alarms.flatMap(({ raised_at, ended_at, title }) => [
      [minuteOf(raised_at), '', `raised: ${title}`],
      ...(ended_at === null ? [] : [[minuteOf(ended_at), '', `ended: ${title}`]]),
    ]),
  ].toSorted(([a = ''], [b = '']) => a.localeCompare(b))
  const counts = Object.entries(firings).map(([name, all]) => `${name}: ${all.length} times`)
  return [
    '| UTC | what happened | alarm |',
    '| --- | --- | --- |',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    '',
    `Schedules fired: ${counts.join(', ')}. ${accepted.length} invoices were accepted, ${reports} reports sent.`,
  ].join('\n')
}

const minuteOf = (moment: string) => moment.slice(0, 16).replace('T', ' ')
