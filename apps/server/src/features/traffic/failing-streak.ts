/** What an API answered in a minute. */
interface Minute {
  at: string
  requests: number
  errors: number
}

/** Minutes with requests and without an error that end a streak: one of them may be chance. */
const cleanMinutes = 2
/** Of its requests fail at least that many; fewer are no outage. */
const shareOfErrors = 0.05

/** Since when requests fail, up to now. `minutes`: the newest first, without those that had no request. */
export function failingStreak(minutes: readonly Minute[]) {
  let clean = 0
  let end = 0
  for (const [index, { errors }] of minutes.entries()) {
    clean = errors > 0 ? 0 : clean + 1
    if (clean === cleanMinutes) break
    if (errors > 0) end = index + 1
  }
  const streak = minutes.slice(0, end)
  const sum = (column: 'requests' | 'errors') =>
    streak.reduce((total, minute) => total + minute[column], 0)
  const found = { since: streak.at(-1)?.at ?? '', requests: sum('requests'), errors: sum('errors') }
  return end > 0 && found.errors >= found.requests * shareOfErrors ? found : undefined
}
