import { limitsAnything, scopeOf, takesMethod, type TokenLimits } from '@gatehouse/contract/gateway'
import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'

/** What one token is limited to beside the roles of its user; compiled at the swap. */
export interface CallerLimits {
  /** Null: not limited. */
  readonly endpoints: ReadonlySet<number> | null
  readonly stored: TokenLimits
}

/** Null: the token is not limited, and its calls cost nothing more. */
export function compileLimits(stored: TokenLimits | null): CallerLimits | null {
  if (stored === null || !limitsAnything(stored)) return null
  return { endpoints: scopeOf(stored, 'endpoints'), stored }
}

/** Refuses a call that the token was not made for. */
export function checkScope(
  exchange: Exchange,
  endpointId: number,
  { endpoints, stored }: CallerLimits,
): Verdict {
  if (endpoints !== null && !endpoints.has(endpointId))
    return exchange.refuse('client.token_scope', {
      message: 'This token may not be used for this endpoint.',
      detail: 'The token is limited to other endpoints',
    })
  if (takesMethod(stored, exchange.method)) return 'next'
  return exchange.refuse('client.token_scope', {
    message: `This token may not be used for ${exchange.method}.`,
    detail: `The token is limited to ${stored.methods.join(', ')}`,
  })
}
