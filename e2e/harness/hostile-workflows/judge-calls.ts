import type { HostileAuthority, Limits } from './authorities.ts'
import type { AuthorityRecord, Came } from './authority-record.ts'

const windows = { per_second: 1_000, per_minute: 60_000, per_hour: 3_600_000 } as const
const windowNames = Object.keys(windows) as (keyof Limits)[]

/** The most calls in any window of this length. The moments are in their order. */
function mostIn(moments: readonly number[], lengthMs: number): number {
  let most = 0
  let from = 0
  for (const [index, at] of moments.entries()) {
    while (at - (moments[from] ?? at) >= lengthMs) from++
    most = Math.max(most, index - from + 1)
  }
  return most
}

interface LimitVerdict {
  /** By lane: the most that its authority has seen, of what it may see. */
  busiest: Record<string, string>
  passed: string[]
}

/**
 * Counts the calls in every window of the authorities' own clock: steps, status queries and polls, also
 * those of a person. Calls of steps that are open at once are counted by their connections: that of a
 * killed server ends with it. Both until the limits were lifted.
 */
export function judgeLimits(
  { came, markedAt, mostOpen }: AuthorityRecord,
  authorities: readonly HostileAuthority[],
): LimitVerdict {
  const verdict: LimitVerdict = { busiest: {}, passed: [] }
  const note = (lane: string, what: string, most: number, limit: number) => {
    const text = `${most} of ${limit} ${what}`
    verdict.busiest[lane] = [verdict.busiest[lane], text].filter(Boolean).join(', ')
    if (most > limit) verdict.passed.push(`${lane}: ${text}`)
  }
  for (const { name, lane } of authorities) {
    const moments = came.flatMap(({ by, at }) => (by === name && at < markedAt ? [at] : []))
    note(name, 'at once', mostOpen.get(name) ?? 0, lane.concurrency)
    for (const window of windowNames) {
      const limit = lane[window]
      if (limit !== undefined)
        note(name, window.replace('_', ' '), mostIn(moments, windows[window]), limit)
    }
  }
  return verdict
}

/**
 * Documents that were sent again although nobody said so. A submission that was answered 429 had no effect
 * and is repeated by the lane; every other repetition has to be a person's (`resends`, by reference).
 */
export function judgeRepeats(
  { came, did, markedAt }: AuthorityRecord,
  resends: ReadonlyMap<string, number>,
): string[] {
  const submissions = Map.groupBy(
    came.filter(({ call }) => call === 'submit'),
    ({ reference }) => reference,
  )
  const mayFollow = ({ id }: Came) => did.get(id)?.outcome === 'throttled'
  return [...submissions].flatMap(([reference, sent]) => {
    const repeats = sent.slice(1).filter((_, index) => !mayFollow(sent[index]!))
    const early = repeats.filter(({ at }) => at < markedAt)
    if (early.length > 0) return [`${reference}: repeated before a person could`]
    const asked = resends.get(reference) ?? 0
    return repeats.length > asked
      ? [`${reference}: repeated ${repeats.length} times, ${asked} times by a person`]
      : []
  })
}
