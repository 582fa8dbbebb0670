/** A moment of the simulated week, as the world outside sees it, and what happens then. */
export interface Event<World> {
  /** UTC, without seconds: `2026-03-30T10:00`. */
  at: string
  what: string
  happen: (world: World) => Promise<void> | void
}

export const minuteMs = 60_000
export const momentOf = (at: string) => new Date(`${at}:00Z`)

/** The minutes of an hour, or of each hour, in UTC between two moments. */
export function everyMinutes(from: string, to: string, step: number): string[] {
  const moments: string[] = []
  for (let ms = momentOf(from).getTime(); ms <= momentOf(to).getTime(); ms += step * minuteMs)
    moments.push(new Date(ms).toISOString())
  return moments
}
