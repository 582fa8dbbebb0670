import { locale } from '../lib/language.ts'

interface MomentProps {
  /** ISO 8601. */
  at: string
  /** Shows the day without the time. */
  isDay?: boolean
  /** Names the time zone: for a text that is passed on, or that stays on the screen for long. */
  hasZone?: boolean
}

/** A moment in the reader's own time zone and language; in UTC when hovered. */
export function Moment({ at, isDay = false, hasZone = false }: MomentProps) {
  const format = isDay ? dayFormat : hasZone ? zonedFormat : momentFormat
  return (
    <time dateTime={at} title={at} style={{ whiteSpace: 'nowrap' }}>
      {format.format(new Date(at))}
    </time>
  )
}

const dayFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
const momentFormat = new Intl.DateTimeFormat(locale, {
  dateStyle: 'medium',
  timeStyle: 'medium',
})
const zonedFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' })
