import type { AuthorityRecord, Stored } from './authority-record.ts'
import type { Claims, ShownRun } from './claims.ts'

export interface DocumentFaults {
  acceptedTwice: string[]
  /** Taken by the product, and never settled, or without a run. */
  lost: string[]
  /** What the product has shown, at any time, is not what the authority has in its record. */
  wrong: string[]
}

/**
 * Holds what the product shows in the end (`final`, by reference), and has shown before (`claims`), against
 * what the authorities recorded.
 */
export function judgeDocuments(
  record: AuthorityRecord,
  claims: Claims,
  final: ReadonlyMap<string, ShownRun>,
): DocumentFaults {
  const accepted = Map.groupBy(
    record.stored.filter(({ verdict }) => verdict === 'accepted'),
    ({ reference }) => reference,
  )
  const faults: DocumentFaults = { acceptedTwice: [], lost: [], wrong: [...claims.problems] }
  for (const [reference, times] of accepted) {
    if (times.length > 1) faults.acceptedTwice.push(reference)
    if (!final.has(reference)) faults.wrong.push(`${reference}: accepted, and no run knows of it`)
  }
  for (const reference of claims.references)
    if (!final.has(reference)) faults.lost.push(`${reference}: taken, and there is no run`)
  for (const [reference, run] of final)
    if (!settled.has(run.state)) faults.lost.push(`${reference}: ${run.state} in the end`)
  for (const [reference, run] of [...final, ...claims.everything()]) {
    const fault = faultOf(run, accepted.get(reference)?.[0])
    if (fault) faults.wrong.push(`${reference}: ${fault}`)
  }
  return faults
}

const settled = new Set(['succeeded', 'rejected'])

function faultOf({ state, authority_reference }: ShownRun, stored: Stored | undefined) {
  if (state === 'succeeded' && !stored) return 'shown as succeeded, and not accepted'
  if (state === 'rejected' && stored) return 'shown as rejected, and accepted'
  const shown = authority_reference ?? undefined
  if (state === 'succeeded' && shown !== undefined && shown !== stored?.number)
    return `shown with the number ${shown}, and recorded with ${stored?.number}`
  return undefined
}
