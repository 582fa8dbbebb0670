/** Why bytes are not a message: it breaks a rule of RFC 9112, or it exceeds a bound of ours. */
export type MessageFaultKind = 'malformed' | 'too_large'

/** What a peer sends is not a message of HTTP/1.1. Nothing behind it on the connection can be trusted. */
export class MessageFault extends Error {
  readonly kind: MessageFaultKind

  constructor(kind: MessageFaultKind, detail: string) {
    super(detail)
    this.kind = kind
  }
}
