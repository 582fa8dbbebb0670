import { useSyncExternalStore } from 'react'
import { relativeWords } from '../../lib/format/age-words.ts'
import { dateFormat } from '../../lib/format/date-format.ts'
import classes from './moment.module.css'

interface MomentProps {
  /** ISO 8601. */
  at: string
  /** Shows the day without the time. */
  isDay?: boolean
  /** Names the time zone: for a text that is passed on, or that stays on the screen for long. */
  hasZone?: boolean
  /**
   * Shows how far away it is: `3 minutes ago`; the day, if that is more than a week. The exact time is there
   * when it is hovered, and while its row has the focus.
   */
  isRelative?: boolean
}

/** A moment in the reader's own time zone and language; in UTC when hovered. */
export function Moment({ at, isDay = false, hasZone = false, isRelative = false }: MomentProps) {
  if (isRelative) return <RelativeMoment at={at} />
  const words = isDay ? dayWords : hasZone ? zonedWords : momentWords
  return (
    <time dateTime={at} title={at} className={classes['moment']}>
      {words(new Date(at))}
    </time>
  )
}

function RelativeMoment({ at }: { at: string }) {
  useSyncExternalStore(everyHalfMinute, () => ticks)
  const date = new Date(at)
  return (
    <time
      dateTime={at}
      title={zonedWords(date)}
      className={classes['moment']}
      data-exact={momentWords(date)}
    >
      <span>{relativeWords(date) ?? dayWords(date)}</span>
    </time>
  )
}

const dayWords = dateFormat({ dateStyle: 'medium' })
const momentWords = dateFormat({
  dateStyle: 'medium',
  timeStyle: 'medium',
})
const zonedWords = dateFormat({ dateStyle: 'medium', timeStyle: 'long' })

// All relative times of a page are written again together, so that none says more than half a minute less
// than is true.
const halfMinuteMs = 30_000
const readers = new Set<() => void>()
let ticks = 0
let timer: ReturnType<typeof setInterval> | undefined

function everyHalfMinute(reader: () => void): () => void {
  readers.add(reader)
  timer ??= setInterval(() => {
    ticks++
    for (const each of readers) each()
  }, halfMinuteMs)
  return () => {
    readers.delete(reader)
    if (readers.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
