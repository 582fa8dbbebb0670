import type { PendingSettings } from '@gatehouse/contract'

type Times = Pick<PendingSettings, 'first_after_seconds' | 'factor' | 'max_every_seconds'>

/** When the next question is due, after so many. */
export function nextPollAt(settings: Times, tries: number, now: Date): string {
  const { first_after_seconds, factor, max_every_seconds } = settings
  // Bounded before the power can overflow.
  const waitSeconds = Math.min(
    max_every_seconds,
    first_after_seconds * factor ** Math.min(tries, 60),
  )
  return new Date(now.getTime() + waitSeconds * 1000).toISOString()
}

/** From when a step that is pending since then counts as unknown. */
export function giveUpAt(
  { give_up_minutes }: Pick<PendingSettings, 'give_up_minutes'>,
  since: string,
): Date {
  return new Date(Date.parse(since) + give_up_minutes * 60_000)
}
