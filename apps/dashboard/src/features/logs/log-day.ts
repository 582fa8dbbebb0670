import type { LogEntry } from '@gatehouse/contract'
import { language, locale } from '../../lib/format/language.ts'
import { entryTime } from './entry-words.ts'

/** Entries of one day that follow each other. */
interface LogDay {
  /** `Sat, 21 Nov 2026 (UTC)`; blank where the dates are written in another way. */
  title: string
  entries: LogEntry[]
}

/** Entries under the days of their dates, in their order. The day is as the log writes it. */
export function byDay(entries: readonly LogEntry[]): LogDay[] {
  const days: LogDay[] = []
  for (const entry of entries) {
    const title = titleOf(entry)
    const last = days.at(-1)
    if (last?.title === title) last.entries.push(entry)
    else days.push({ title, entries: [entry] })
  }
  return days
}

// The day and its time zone are those of the log, not those of the reader.
const dayFormat = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : locale, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

function titleOf(entry: LogEntry): string {
  const { day, zone } = entryTime(entry)
  const moment = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(moment.getTime())) return day
  const words = dayFormat.format(moment)
  return zone === '' ? words : `${words} (${zone === 'Z' ? 'UTC' : `UTC${zone}`})`
}
