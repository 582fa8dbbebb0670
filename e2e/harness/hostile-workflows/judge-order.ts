import type { HostileAuthority } from './authorities.ts'
import type { AuthorityRecord, Came } from './authority-record.ts'

/** `careless/c007/00042` is the 42nd document with the order key `c007`. */
const keyOf = (reference: string) => reference.slice(0, reference.lastIndexOf('/'))
const placeOf = (reference: string) => Number(reference.slice(reference.lastIndexOf('/') + 1))

/**
 * Documents that came out of their order at an authority whose lane keeps it: before an earlier one of the
 * same key, before the authority had decided about that one, or before anybody had asked what became of
 * it where its answer was lost. What a person sends again (`resends`) has given up its place.
 */
export function judgeOrder(
  record: AuthorityRecord,
  authorities: readonly HostileAuthority[],
  resends: ReadonlyMap<string, number>,
): string[] {
  const strict = new Set(
    authorities.filter(({ lane }) => lane.is_strict_order).map(({ name }) => name),
  )
  const isByLane = ({ reference, at }: Came) => at < record.markedAt || !resends.has(reference)
  const calls = record.came.filter(({ by, call }) => strict.has(by) && call !== 'read')
  return [...Map.groupBy(calls, ({ reference }) => keyOf(reference))].flatMap(([, ofKey]) => {
    const faults: string[] = []
    let last: Came | undefined
    const asked = new Set<string>()
    for (const came of ofKey) {
      if (came.call === 'status') asked.add(came.reference)
      else if (isByLane(came)) {
        const fault = last && faultOf(record, last, came, asked)
        if (fault) faults.push(`${came.reference}: ${fault} ${last?.reference}`)
        last = came
      }
    }
    return faults
  })
}

function faultOf(
  { did, stored }: AuthorityRecord,
  last: Came,
  came: Came,
  asked: ReadonlySet<string>,
): string | undefined {
  const places = [placeOf(last.reference), placeOf(came.reference)] as const
  if (places[1] < places[0]) return 'came after'
  if (places[1] === places[0]) return undefined
  const before = stored.findLast(
    ({ reference, at }) => reference === last.reference && at <= came.at,
  )
  if (before && before.decidesAt > came.at) return 'came before the decision about'
  const outcome = did.get(last.id)?.outcome
  if (outcome && lostAnswers.has(outcome) && !asked.has(last.reference))
    return `came before anybody had asked about (${outcome})`
  return undefined
}

/** Answers that never say whether the document was stored. */
const lostAnswers: ReadonlySet<string> = new Set([
  'unavailable',
  'cut before storing',
  'cut after storing',
  'failure after storing',
])
