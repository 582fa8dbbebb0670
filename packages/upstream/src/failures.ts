import type { UpstreamFailureCode } from './http/http-answer.ts'

/** A failure that is classified already. Its message is the `detail` an administrator reads. */
export class UpstreamFailure extends Error {
  readonly failure: UpstreamFailureCode

  constructor(failure: UpstreamFailureCode, detail: string, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause })
    this.name = 'UpstreamFailure'
    this.failure = failure
  }
}

/** How far a connection had come: looking up and TCP, or shaking hands over TLS. */
export type ConnectPhase = 'tcp' | 'tls'

/** Classifies an error from before the connection was open: nothing of the request has left. */
export function classifyConnectError(error: Error, phase: ConnectPhase): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error
  const code = codeOf(error)
  const detail = describe(error)
  if (isLookupError(error)) return new UpstreamFailure('dns', detail, error)
  if (code === 'ETIMEDOUT') return new UpstreamFailure('connect_timeout', detail, error)
  return new UpstreamFailure(phase === 'tls' ? 'tls' : 'refused', detail, error)
}

/** Classifies an error from after the connection was open; `hasHead`: the head of the answer is here. */
export function classifyExchangeError(error: Error, hasHead: boolean): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error
  const code = codeOf(error)
  const detail = describe(error)
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new UpstreamFailure(
      'too_large',
      'the header fields of the answer exceed their bound',
      error,
    )
  }
  if (code === 'UND_ERR_CLOSED' || code === 'UND_ERR_DESTROYED') {
    return new UpstreamFailure('aborted', 'calls to upstreams are being stopped', error)
  }
  if (code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) {
    return new UpstreamFailure('tls', detail, error)
  }
  if (code === 'UND_ERR_SOCKET' && error.message === 'bad response') {
    return new UpstreamFailure('protocol', 'too many interim answers came', error)
  }
  if (code === 'UND_ERR_SOCKET' && error.message === 'bad upgrade') {
    return new UpstreamFailure(
      'protocol',
      'a switch of protocol came without being asked for',
      error,
    )
  }
  // By its name: the gateway has use for this file and none for undici.
  if (error.name === 'HTTPParserError') {
    // The end of the connection inside a chunked body is a cut, not a malformed answer.
    const isCut = code === 'HPE_INVALID_EOF_STATE' || error.message.includes('Invalid EOF state')
    return isCut ? endedEarly(error) : new UpstreamFailure('protocol', detail, error)
  }
  // undici's name for any malformed head with a length in it, two lengths included.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && !hasHead) {
    return new UpstreamFailure('protocol', 'the head of the answer contradicts itself', error)
  }
  if (code.startsWith('UND_ERR_INVALID')) return new UpstreamFailure('protocol', detail, error)
  if (endedCodes.has(code)) return endedEarly(error)
  if (resetCodes.has(code)) return new UpstreamFailure('cut', 'the connection was reset', error)
  return new UpstreamFailure('cut', detail, error)
}

const endedCodes: ReadonlySet<string> = new Set([
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
])
/** `GATEHOUSE_RESET`: see the connector. */
const resetCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'GATEHOUSE_RESET', 'EPIPE'])

/** Libraries say "other side closed" or "Invalid EOF state". */
const endedEarly = (error: Error) =>
  new UpstreamFailure('cut', 'the other side closed the connection', error)

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}

function isLookupError(error: Error): boolean {
  return (
    'syscall' in error &&
    typeof error.syscall === 'string' &&
    /^(getaddr|query)/.test(error.syscall)
  )
}

/** Where several addresses were tried, the reasons of all of them. */
function describe(error: Error): string {
  if (error instanceof AggregateError) {
    const reasons = error.errors.filter((reason) => reason instanceof Error)
    if (reasons.length > 0) return [...new Set(reasons.map((each) => each.message))].join('; ')
  }
  return error.message || codeOf(error) || error.name
}
