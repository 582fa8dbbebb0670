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
