interface MomentProps {
  /** ISO 8601. */
  at: string
  /** Shows the day without the time. */
  isDay?: boolean
}

/** A moment in the reader's own time zone and language; in UTC when hovered. */
export function Moment({ at, isDay = false }: MomentProps) {
  const format = isDay ? dayFormat : momentFormat
  return (
    <time dateTime={at} title={at} style={{ whiteSpace: 'nowrap' }}>
      {format.format(new Date(at))}
    </time>
  )
}

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const momentFormat = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'medium',
})
