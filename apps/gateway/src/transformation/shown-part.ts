import { mask } from '@gatehouse/upstream/http'
import { hiddenOf } from '../trace/hidden-of.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { maskedHeaders } from '../trace/trace.ts'

/** Characters of a body that a trace shows. */
const shownMax = 2_000

/** Headers and body for a trace; secrets of the API are masked. `body`: null where it is not changed. */
export function shownPart(exchange: Exchange, fields: readonly string[], body: string | null) {
  const hidden = hiddenOf(exchange.endpoint?.api.signIn)
  return {
    headers: maskedHeaders(fields, hidden),
    // Masked before it is cut: half a secret is one too.
    body: body === null ? null : mask(body, hidden.secrets).slice(0, shownMax),
  }
}
