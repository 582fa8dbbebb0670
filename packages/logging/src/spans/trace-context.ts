/** Who called, as `traceparent` says it (W3C Trace Context §3.2). Hexadecimal in lower case. */
export interface TraceParent {
  /** 32 digits. */
  traceId: string
  /** 16 digits: the span of the caller. */
  spanId: string
  isSampled: boolean
}

const shape = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/
const nothing = /^0+$/

/** Null: it is none, and what came with it counts for nothing. A later version is read as this one (§4.3). */
export function readTraceparent(text: string): TraceParent | null {
  const [, version, traceId, spanId, flags, rest] = shape.exec(text) ?? []
  if (version === undefined || traceId === undefined || spanId === undefined) return null
  if (version === 'ff' || (version === '00' && rest !== undefined)) return null
  if (nothing.test(traceId) || nothing.test(spanId)) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags ?? '', 16) & 1) === 1 }
}

export const traceparent = ({ traceId, spanId, isSampled }: TraceParent): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
