import { matchesRule } from '@gatehouse/contract/answer-rule'
import type { StoredCredential } from '@gatehouse/contract/credential'
import { parseExact } from '@gatehouse/contract/mapping'
import type { ExactJson } from '@gatehouse/contract/mapping'
import { BoundedBody, isSignInRefusedStatus } from '@gatehouse/upstream/http'
import type { Exchange } from '../exchange/exchange.ts'
import type { UpstreamCall } from '../exchange/upstream-call.ts'
import type { SnapshotApi } from '@gatehouse/contract/gateway'
import type { TokenSlot } from '../sign-in/token-slots.ts'

/** Calls `then` with the header fields of a token once there is one; else the request is refused. */
export function withToken(
  exchange: Exchange,
  slot: TokenSlot,
  then: (fields: readonly string[]) => void,
  refused: number | null = null,
): void {
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
 * What the head of an answer says of the token: it is refused, the body has to be read to know, or (null)
 * neither. The request may then be sent once more: only where its body was collected, and only once. It
 * was certainly not executed, whatever its method.
 */
export function judgeToken(exchange: Exchange, call: UpstreamCall): 'refused' | 'read' | null {
  const signIn = exchange.endpoint?.api.signIn
  const { body } = call.request
  if (!signIn || signIn.slot === null || exchange.isSignedInAgain) return null
  if (body !== null && !Buffer.isBuffer(body)) return null
  if (isSignInRefusedStatus(call.status, signIn.credential)) return 'refused'
  const isRead = isRefusedByBody(call.status, signIn.credential) && isJudgedBody(exchange, call)
  return isRead ? 'read' : null
}

/** Of an answer whose body could refuse a token, as far as `judgedBytesMax`. */
export class JudgedBody extends BoundedBody {
  constructor() {
    super(judgedBytesMax)
  }
}

/** Whether a body refuses the token; `whole` is an answer that `judgeToken` wants to be read. */
export function refusesToken({ endpoint }: Exchange, { status }: UpstreamCall, whole: Buffer) {
  const rule = endpoint?.api.signIn.credential?.refused_when
  if (!rule) return false
  return matchesRule(rule, { status, body: jsonOf(whole) }) === 'holds'
}

/** An answer that refuses a token is small; a larger one is passed on without being judged. */
const judgedBytesMax = 64 * 1024

/** A status for which the rule looks at the body. */
function isRefusedByBody(status: number, credential: StoredCredential | null): boolean {
  const rule = credential?.refused_when
  if (!rule || rule.conditions.length === 0 || status >= 500) return false
  return matchesRule({ ...rule, conditions: [] }, { status, body: undefined }) === 'holds'
}

const jsonType = /^\s*(?:application|text)\/(?:[\w.-]+\+)?json\s*(?:;|$)/i

/** JSON that is neither compressed nor known to be larger. */
function isJudgedBody({ method }: Exchange, { status, headers }: UpstreamCall): boolean {
  if (method === 'HEAD' || status === 204 || status === 304) return false
  if (!jsonType.test(String(headers['content-type'] ?? ''))) return false
  const encoding = headers['content-encoding'] ?? 'identity'
  return encoding === 'identity' && !(Number(headers['content-length']) > judgedBytesMax)
}

function jsonOf(bytes: Buffer): ExactJson | undefined {
  try {
    return parseExact(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
