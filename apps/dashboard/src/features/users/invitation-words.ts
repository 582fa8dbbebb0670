import type { UserRecord } from '@gatehouse/contract'

/** Of a user who has not chosen a password yet; undefined: there is no invitation. */
export function invitationOf({ invited_until }: UserRecord): 'open' | 'over' | undefined {
  if (!invited_until) return undefined
  return Date.parse(invited_until) > Date.now() ? 'open' : 'over'
}
