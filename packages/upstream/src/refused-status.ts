import { matchesRule } from '@gatehouse/contract/answer-rule'
import type { StoredCredential } from '@gatehouse/contract/credential'

/** Whether a status alone says that the sign-in was refused, for a caller that passes the body on. */
export function isSignInRefusedStatus(
  status: number,
  credential: StoredCredential | null,
): boolean {
  if (status === 401) return true
  const rule = credential?.refused_when
  if (!rule || rule.conditions.length > 0 || status >= 500) return false
  return matchesRule(rule, { status, body: undefined }) === 'holds'
}
