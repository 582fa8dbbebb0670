import { firstMomentFrom, momentsOf, offsetMs } from './zone-time.ts'

const dayMs = 86_400_000

interface LocalDays {
  /** Dates, `2026-01-31`, the oldest first; the last is that of the moment. */
  dates: string[]
  /** The first moment of each, and of the day after the last, in UTC. */
  bounds: string[]
}

/** The last days in a time zone, today included. A day may have 23 or 25 hours. */
export function lastLocalDays(now: Date, zone: string, count: number): LocalDays {
  const wall = now.getTime() + offsetMs(zone, now.getTime())
  const today = Math.floor(wall / dayMs) * dayMs
  const midnights = Array.from({ length: count + 1 }, (_, at) => today + (at + 1 - count) * dayMs)
  return {
    dates: midnights.slice(0, -1).map((midnight) => new Date(midnight).toISOString().slice(0, 10)),
    bounds: midnights.map((midnight) => startOf(zone, midnight).toISOString()),
  }
}

/** The first moment of a day, which may begin at one where clocks are put forward at midnight. */
const startOf = (zone: string, midnight: number) =>
  new Date(momentsOf(zone, midnight)[0] ?? firstMomentFrom(zone, midnight))
