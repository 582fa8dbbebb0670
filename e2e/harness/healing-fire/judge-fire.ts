import type { HandedIn, ShownDocument } from './erp.ts'
import { keyOf, type Stored } from './kinds.ts'

export interface FireFaults {
  acceptedTwice: string[]
  /** Handed in, and neither accepted nor rejected in the end. */
  lost: string[]
  /** What the product shows is not what the authority has in its record. */
  wrong: string[]
}

/** Holds what the product shows in the end against what the authorities recorded. */
export function judgeFire(
  all: readonly HandedIn[],
  stored: readonly Stored[],
  shown: ReadonlyMap<string, ShownDocument>,
): FireFaults {
  const accepted = Map.groupBy(
    stored.filter(({ verdict }) => verdict === 'accepted'),
    keyOf,
  )
  const faults: FireFaults = { acceptedTwice: [], lost: [], wrong: [] }
  for (const [key, times] of accepted) if (times.length > 1) faults.acceptedTwice.push(key)
  for (const one of all)
    for (const reference of one.references) {
      const key = keyOf({ ...one, reference })
      const document = shown.get(key)
      const [at] = accepted.get(key) ?? []
      if (!document || !settled.has(document.state))
        faults.lost.push(`${key}: ${document?.state ?? 'not known'}`)
      else if ((document.state === 'accepted') !== (at !== undefined))
        faults.wrong.push(`${key}: ${document.state}, and ${at ? 'accepted' : 'not accepted'}`)
      else if (at && one.kind !== 'zatca' && isOther(document, at))
        faults.wrong.push(`${key}: number ${document.authority_reference}, not ${at.number}`)
    }
  return faults
}

const settled = new Set(['accepted', 'not_accepted'])

const isOther = ({ authority_reference }: ShownDocument, { number }: Stored) =>
  authority_reference !== null && authority_reference !== number
