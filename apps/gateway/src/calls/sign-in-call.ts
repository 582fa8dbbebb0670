import { isSignInRefusedStatus } from '@gatehouse/upstream/http'
import type { Exchange } from '../exchange/exchange.ts'
import type { UpstreamCall } from '../exchange/upstream-call.ts'
import type { SnapshotApi } from '@gatehouse/contract/gateway'
import type { TokenSlot } from '../sign-in/token-slots.ts'

/** Calls `then` with the header fields of the token, now or once there is one; else the request is refused. */
export function withToken(
  exchange: Exchange,
  slot: TokenSlot,
  then: (fields: readonly string[]) => void,
  refused: number | null = null,
): void {
  const known = refused === null ? slot.current() : null
  if (known !== null) return then(known)
  const config = exchange.endpoint?.api.config
  const cancel = slot.wait(refused, config ? waitMs(config) : 0, (fields, message) => {
    if (exchange.isEnded) return
    if (fields === null) exchange.refuse('upstream.sign_in', { detail: message })
    else then(fields)
  })
  // A client that leaves meanwhile waits for nothing.
  exchange.call = { cancel }
}

/** A sign-in is a call with the API's own time-outs. */
const waitMs = ({ connect_timeout_ms, answer_timeout_ms }: SnapshotApi) =>
  connect_timeout_ms + answer_timeout_ms

/**
 * Whether the answer refuses a token and the request may be sent once more: only where its body was
 * collected, and only once. The request was certainly not executed, whatever its method.
 */
export function isToBeSignedInAgain(exchange: Exchange, call: UpstreamCall): boolean {
  const { endpoint } = exchange
  const { body } = call.request
  if (!endpoint || endpoint.api.signIn.slot === null || exchange.isSignedInAgain) return false
  if (body !== null && !Buffer.isBuffer(body)) return false
  return isSignInRefusedStatus(call.status, endpoint.api.signIn.credential)
}
