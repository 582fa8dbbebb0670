import type { TrafficRange } from '@gatehouse/contract'
import { locale } from '../../lib/format/language.ts'

const whole = new Intl.NumberFormat(locale)
const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })

export const formatCount = (count: number) =>
  Math.abs(count) < 100_000 ? whole.format(count) : short.format(count)

/** Three digits are as exact as histogram buckets are. */
export function formatMs(ms: number | null): string {
  if (ms === null) return '–'
  if (ms >= 1_000) return `${Number((ms / 1_000).toPrecision(3))} s`
  return `${Number(ms.toPrecision(3))} ms`
}

/** A sum of times, in hours or minutes where it has some. */
export function formatLong(ms: number): string {
  if (ms >= 3_600_000) return `${Number((ms / 3_600_000).toPrecision(3))} h`
  if (ms >= 60_000) return `${Number((ms / 60_000).toPrecision(3))} min`
  return formatMs(ms)
}

/** `0.04 %`; a share that is not zero never reads as zero. */
export function formatShare(part: number, of: number): string {
  if (of === 0 || part === 0) return '0 %'
  const percent = (part / of) * 100
  return percent < 0.01 ? '< 0.01 %' : `${Number(percent.toPrecision(2))} %`
}

const formats: Record<TrafficRange, Intl.DateTimeFormat> = {
  hour: new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }),
  day: new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }),
  week: new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }),
}

export const formatMoment = (at: string, range: TrafficRange) => formats[range].format(new Date(at))
