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

/** What is wrong with a request alone, where a status of its own says it (RFC 9110 §15). */
export type RequestFaultReason = 'long_target' | 'method' | 'version'

/** A request whose target exceeds our bound, with a method that is not known, or of another version of HTTP. */
export class RequestFault extends MessageFault {
  readonly reason: RequestFaultReason

  constructor(reason: RequestFaultReason, detail: string) {
    super('malformed', detail)
    this.reason = reason
  }
}
