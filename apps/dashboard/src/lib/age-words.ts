const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** How long ago a moment is, in its largest whole unit: `3 hours`; `a moment` below a minute. */
export function ageWords(since: string, now = Date.now()): string {
  const ageMs = now - Date.parse(since)
  for (const [unit, unitMs] of units) {
    const count = Math.floor(ageMs / unitMs)
    if (count >= 1) return `${count} ${unit}${count === 1 ? '' : 's'}`
  }
  return 'a moment'
}

/** Milliseconds for reading: `12 ms`, `1.5 s`. */
export function durationWords(durationMs: number): string {
  return durationMs < 1000 ? `${Math.round(durationMs)} ms` : `${(durationMs / 1000).toFixed(1)} s`
}
