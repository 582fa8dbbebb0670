import { parseByHttpParserJs } from './parse-by-http-parser-js.ts'
import { parseByNode } from './parse-by-node.ts'
import { parseRequests } from './parse-requests.ts'
import { createRandom, randomRequests } from './random-requests.ts'

interface Comparison {
  /** Inputs of which our parser took something else than another, or than itself when they were split. */
  differences: string[]
  /** Requests that our parser took. */
  taken: number
  /** Inputs that our parser refused although another took a request more from them, by parser. */
  stricter: Record<string, number>
}

const others = { llhttp: parseByNode, 'http-parser-js': parseByHttpParserJs }

/**
 * Gives so many random connections to our parser, whole and in random parts, to that of node:http (llhttp), and
 * to `http-parser-js`. Ours may refuse what others take. Every request that it takes has to be in the same place
 * with each of the others: the same method, target, version, fields and body, and whole.
 */
export function compareParsers(inputs: number, seed: number): Comparison {
  const random = createRandom(seed)
  const found: Comparison = { differences: [], taken: 0, stricter: {} }
  for (let at = 0; at < inputs; at++) {
    const text = randomRequests(random)
    const cuts = Array.from({ length: random(6) }, () => random(text.length))
    cuts.sort((one, other) => one - other)
    compareOne(text, cuts, found)
  }
  return found
}

function compareOne(text: string, cuts: readonly number[], found: Comparison): void {
  const ours = parseRequests(text)
  const note = (by: string) => found.differences.push(JSON.stringify({ by, text, cuts }))
  if (JSON.stringify(parseRequests(text, cuts)) !== JSON.stringify(ours)) note('parts')
  const whole = ours.requests.filter(({ isWhole }) => isWhole)
  found.taken += whole.length
  for (const [by, parse] of Object.entries(others)) {
    // The others know no later minor version, which is read as HTTP/1.1 (RFC 9110 §2.5).
    const { requests } = parse(text.replaceAll(/HTTP\/1\.[2-9]/g, 'HTTP/1.1'))
    if (JSON.stringify(requests.slice(0, whole.length)) !== JSON.stringify(whole)) note(by)
    const isMore = requests.filter(({ isWhole }) => isWhole).length > whole.length
    if (ours.isRefused && isMore) found.stricter[by] = (found.stricter[by] ?? 0) + 1
  }
}
