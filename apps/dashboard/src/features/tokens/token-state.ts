import type { TokenRecord } from '@gatehouse/contract'

/** Colour of the state's badge. */
export const stateColor: Record<TokenRecord['state'], string> = {
  active: 'green',
  expired: 'orange',
  revoked: 'gray',
}

const dayMs = 86_400_000
const soonDays = 14

/** A word of warning about an active token that expires within two weeks; undefined otherwise. */
export function expiryWarning(token: TokenRecord, now: Date): string | undefined {
  const left = Date.parse(token.expires_at) - now.getTime()
  if (token.state !== 'active' || left > soonDays * dayMs) return undefined
  const days = Math.floor(left / dayMs)
  if (days < 1) return 'expires today'
  return days === 1 ? 'expires in 1 day' : `expires in ${days} days`
}
