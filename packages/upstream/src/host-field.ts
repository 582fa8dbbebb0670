/** RFC 3986 §3.2: a name, an IPv4 address or a bracketed IPv6 address, and perhaps a port. */
const validHost = /^(?:[\w.~%!$&'()*+;=-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i

/** Whether a `Host` field of a request names one host (RFC 9112 §3.2), and nothing beside it such as a user. */
export const isHostField = (value: string): boolean => validHost.test(value)
