import { limitsAnything, scopeOf, takesMethod, type TokenLimits } from '@gatehouse/contract/gateway'
import { ClientAddresses } from '@gatehouse/upstream/http'

/** What one token is limited to beside the roles of its user; compiled at the swap. */
export interface CallerLimits {
  /** Null: not limited. */
  readonly endpoints: ReadonlySet<number> | null
  /** Null: from anywhere. */
  readonly addresses: ClientAddresses | null
  /** Null: any number of requests. */
  readonly quota: TokenLimits['quota']
  readonly stored: TokenLimits
}

/** Null: the token is not limited, and its calls cost nothing more. */
export function compileLimits(stored: TokenLimits | null): CallerLimits | null {
  if (stored === null || !limitsAnything(stored)) return null
  const { client_addresses } = stored
  return {
    endpoints: scopeOf(stored, 'endpoints'),
    addresses: client_addresses && new ClientAddresses(client_addresses),
    quota: stored.quota,
    stored,
  }
}

/** Why a call is refused that the token was not made for: for its caller, and for the log. Null: it is within. */
export function scopeProblem(
  { endpoints, stored }: CallerLimits,
  endpointId: number,
  method: string,
): { message: string; detail: string } | null {
  if (endpoints !== null && !endpoints.has(endpointId)) {
    const message = 'This token may not be used for this endpoint.'
    return { message, detail: 'The token is limited to other endpoints' }
  }
  if (takesMethod(stored, method)) return null
  const message = `This token may not be used for ${method}.`
  return { message, detail: `The token is limited to ${stored.methods.join(', ')}` }
}
