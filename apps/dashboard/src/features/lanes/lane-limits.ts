import type { LaneRecord } from '@gatehouse/contract'

type Limits = Pick<
  LaneRecord,
  'concurrency' | 'per_second' | 'per_minute' | 'per_hour' | 'max_age_minutes' | 'is_strict_order'
>

/** The settings of a lane in one line. */
export function limitWords(lane: Limits): string {
  const rates = [
    lane.per_second !== null && `${lane.per_second} a second`,
    lane.per_minute !== null && `${lane.per_minute} a minute`,
    lane.per_hour !== null && `${lane.per_hour} an hour`,
  ].filter((rate) => rate !== false)
  return [
    `at most ${lane.concurrency === 1 ? '1 run' : `${lane.concurrency} runs`} at once`,
    rates.length === 0 ? 'calls without a limit' : `calls: ${rates.join(', ')}`,
    lane.max_age_minutes === null
      ? 'no deadline'
      : `sent within ${minuteWords(lane.max_age_minutes)}`,
    ...(lane.is_strict_order ? ['in order for each order key'] : []),
  ].join(' · ')
}

/** Minutes in the largest unit that they fill: `36 hours`. */
function minuteWords(minutes: number): string {
  const [count, unit] =
    minutes % 1440 === 0
      ? [minutes / 1440, 'day']
      : minutes % 60 === 0
        ? [minutes / 60, 'hour']
        : [minutes, 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
