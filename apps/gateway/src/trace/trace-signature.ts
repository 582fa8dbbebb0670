import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { lentMs, UnsavedEndpoints } from './unsaved-endpoints.ts'

export const traceHeaderName = 'x-gatehouse-trace'

/** HMAC-SHA-256 of a trace's id, in hex. The header reads `{id}.{signature}`. */
function traceSignature(secret: string, id: string): string {
  return createHmac('sha256', secret).update(id).digest('hex')
}

/** A token by its id, for its text is known to nobody but its holder, or the id of a role. */
export type LentClient = { tokenId: number } | { roleId: number }

/** The one request that goes through as one of a client or role. */
export type Lent = LentClient & {
  method: string
  /** As in the request line: path and query. */
  target: string
  /** On the clock of this machine. */
  untilMs: number
}

/** The header of a trace; with `lent`, the request goes through as one of that client, once. */
export function traceHeader(secret: string, id: string, lent?: Lent): string {
  if (lent === undefined) return `${id}.${traceSignature(secret, id)}`
  const client = 'roleId' in lent ? `r${lent.roleId}` : lent.tokenId
  return `${id}.${client}.${lent.untilMs}.${traceSignature(secret, lentText(id, lent))}`
}

/** White space keeps it apart from every id that is signed alone. */
const lentText = (id: string, { method, target, untilMs, ...client }: Lent) => {
  const named =
    'roleId' in client ? `role\n${id}\n${client.roleId}` : `token\n${id}\n${client.tokenId}`
  return `as ${named}\n${untilMs}\n${method}\n${target}`
}

/** Reads what the control plane signed. The secret is in no other process than it and the workers. */
export class TraceReader {
  /** Definitions that such requests try before they are saved. */
  readonly unsaved = new UnsavedEndpoints()
  readonly #secret: string | null
  /** Ids of headers with a token or role that were read, until they are too old anyway. */
  readonly #usedUntil = new Map<string, number>()

  constructor(secret: string | null) {
    this.#secret = secret
  }

  /**
   * The id of a header whose signature is ours, and the token or role that it lends to this very request; or
   * undefined. A header with either counts once, and for `lentMs`.
   */
  read(
    header: string,
    request: { method: string; target: string },
  ): { id: string; as: LentClient | null } | undefined {
    const [, id, kind, client, until, signature] =
      /^([\w-]{1,64})(?:\.(r?)(\d{1,15})\.(\d{1,15}))?\.([0-9a-f]{64})$/.exec(header) ?? []
    if (this.#secret === null || id === undefined || signature === undefined) return undefined
    if (client === undefined) {
      return isSigned(this.#secret, id, signature) ? { id, as: null } : undefined
    }
    const as = kind === 'r' ? { roleId: Number(client) } : { tokenId: Number(client) }
    const lent = { ...request, ...as, untilMs: Number(until) }
    if (!isSigned(this.#secret, lentText(id, lent), signature)) return undefined
    return this.#isFirstUse(id, lent.untilMs) ? { id, as } : undefined
  }

  #isFirstUse(id: string, untilMs: number): boolean {
    const nowMs = Date.now()
    for (const [used, until] of this.#usedUntil) if (until <= nowMs) this.#usedUntil.delete(used)
    // One from the future was signed before the clock was set back.
    if (untilMs <= nowMs || untilMs > nowMs + lentMs || this.#usedUntil.has(id)) return false
    this.#usedUntil.set(id, untilMs)
    return true
  }
}

function isSigned(secret: string, text: string, signature: string): boolean {
  return timingSafeEqual(Buffer.from(traceSignature(secret, text)), Buffer.from(signature))
}

/**
 * A name for Via (RFC 9110 §7.6.3) that all workers of a gateway share and no other gateway has. No
 * trace can have the id that is signed for it.
 */
export function viaPseudonym(secret: string | null): string {
  const id = secret === null ? randomBytes(6).toString('hex') : traceSignature(secret, 'in Via')
  return `gatehouse-${id.slice(0, 12)}`
}
