import { hopByHopNames, isHeaderName } from '../../endpoints/header-names.ts'

/** Fields of the connection and of the message itself (RFC 9110 §7.6.1, §8), and credentials. */
const ownNames = new Set([
  ...hopByHopNames,
  'accept-encoding',
  'authorization',
  'cookie',
  'expect',
  'host',
])

/** What is wrong with the name of a header that carries a step's UUID, or undefined. */
export function runHeaderProblem(name: string): string | undefined {
  if (!isHeaderName(name)) {
    return 'This is not a header name: use letters, digits and - like Idempotency-Key.'
  }
  const lower = name.toLowerCase()
  if (ownNames.has(lower) || lower.startsWith('content-') || lower.startsWith('accept')) {
    return `The header ${name} has a meaning of its own and can’t carry the key.`
  }
  return undefined
}
