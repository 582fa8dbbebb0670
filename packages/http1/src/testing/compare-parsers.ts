import { parseByNode } from './parse-by-node.ts'
import { parseRequests } from './parse-requests.ts'
import { createRandom, randomRequests } from './random-requests.ts'

interface Comparison {
  /** Inputs of which our parser took something else than llhttp, or than itself when they were split. */
  differences: string[]
  /** Requests that our parser took. */
  taken: number
  /** Inputs that our parser refused although llhttp took another request from them. */
  stricter: number
}

/**
 * Gives so many random connections to our parser, whole and in random parts, and to that of
 * node:http. Every request that ours takes has to be the same in all; it may take fewer.
 */
export function compareParsers(inputs: number, seed: number): Comparison {
  const random = createRandom(seed)
  const found: Comparison = { differences: [], taken: 0, stricter: 0 }
  for (let at = 0; at < inputs; at++) {
    const text = randomRequests(random)
    const cuts = Array.from({ length: random(6) }, () => random(text.length))
    cuts.sort((one, other) => one - other)
    const ours = JSON.stringify(parseRequests(text))
    const { requests, isRefused } = parseRequests(text, cuts)
    const whole = requests.filter(({ isWhole }) => isWhole)
    const theirs = parseByNode(text).requests
    const isSame =
      ours === JSON.stringify({ requests, isRefused }) &&
      JSON.stringify(theirs.slice(0, whole.length)) === JSON.stringify(whole)
    if (!isSame) found.differences.push(JSON.stringify({ text, cuts }))
    found.taken += whole.length
    if (isRefused && theirs.filter(({ isWhole }) => isWhole).length > whole.length) found.stricter++
  }
  return found
}
