import type { LookupAddress } from 'node:dns'
import type { LookupAll } from '../connector.ts'

/** A resolver that gives the answers in turn, then the last one for ever. */
export function scriptedLookup(...answers: string[][]): LookupAll & { calls: string[] } {
  const calls: string[] = []
  const lookup: LookupAll = (hostname, _, callback) => {
    const answer = answers[Math.min(calls.push(hostname), answers.length) - 1] ?? []
    const found = answer.map((address): LookupAddress => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }))
    queueMicrotask(() => callback(null, found))
  }
  return Object.assign(lookup, { calls })
}
