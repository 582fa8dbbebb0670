import type { HealingMode, HealingPlan, RunSettings } from '@gatehouse/contract'
import { defaultHealingHours } from '@gatehouse/contract/run-profiles'

const order: readonly HealingMode[] = ['off', 'ask', 'ask_and_send']

/** What the endpoint allows, as far as the installation does. Blank settings ask where they can. */
export function healingModeOf(
  { healing, status_query }: Pick<RunSettings, 'healing' | 'status_query'>,
  most: HealingMode,
): HealingMode {
  const wished = healing === '' ? (status_query ? 'ask' : 'off') : healing
  return order.indexOf(wished) < order.indexOf(most) ? wished : most
}

type PlanSettings = Pick<
  RunSettings,
  'healing' | 'healing_hours' | 'status_query' | 'documents' | 'is_duplicate_safe'
>

/** Which of the ways there is. Where a status query is set, nothing is repeated without being asked for. */
export function planOf(settings: PlanSettings, most: HealingMode): HealingPlan {
  const mode = healingModeOf(settings, most)
  if (mode === 'off') return 'off'
  if (settings.status_query) return 'ask'
  // That the whole is there already does not say what became of each document.
  if (settings.documents) return 'no_way'
  return settings.is_duplicate_safe && mode === 'ask_and_send' ? 'repeat' : 'no_way'
}

const minuteMs = 60_000
export const longestPauseMs = 30 * minuteMs
const shortestPauseMs = 5_000

/** The pause after so many tries: it doubles from the quiet period up to half an hour. */
export const pauseMs = (quietSeconds: number, tries: number): number =>
  Math.min(
    Math.max(quietSeconds * 1_000, shortestPauseMs) * 2 ** Math.min(tries, 20),
    longestPauseMs,
  )

/** From then on a person decides. */
export const healedUntilMs = (
  { healing_hours }: Pick<RunSettings, 'healing_hours'>,
  since: string,
) => Date.parse(since) + (healing_hours ?? defaultHealingHours) * 60 * minuteMs

interface LaneLimits {
  lane_id: number
  per_second: number | null
  per_minute: number | null
  per_hour: number | null
}

/** The least time between two acts in a lane: they take a quarter of its limits at most. */
export function spacingInLaneMs({ per_second, per_minute, per_hour }: LaneLimits): number {
  const each = (limit: number | null, windowMs: number) =>
    limit === null ? 0 : (4 * windowMs) / limit
  return Math.max(
    each(per_second, 1_000),
    each(per_minute, minuteMs),
    each(per_hour, 60 * minuteMs),
  )
}
