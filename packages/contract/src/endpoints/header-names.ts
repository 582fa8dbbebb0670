/** Fields that belong to one connection (RFC 9110 §7.6.1, §11.7; RFC 9112 §6.1), in lower case. */
export const hopByHopNames: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Whether it is the name of a header field (RFC 9110 §5.1). */
export const isHeaderName = (name: string): boolean => /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)

/** Fields that mean something else to a server, a proxy or a browser, or that this gateway sets or reads itself. */
const takenName =
  /^(?:host|authorization|cookie|expect|via|forwarded|origin|referer|user-agent|date|range|upgrade|signature|signature-input|client-cert|traceparent|tracestate|x-real-ip|x-request-id|accept|cache-control|idempotency-key|(?:accept|content|if|sec|access-control|x-forwarded|x-gatehouse)-.*)$/

/** Whether clients may show an API key in a field of this name. */
export const isKeyHeader = (name: string): boolean => {
  const lower = name.toLowerCase()
  return /^[a-z][a-z\d-]{0,63}$/.test(lower) && !hopByHopNames.has(lower) && !takenName.test(lower)
}
