import type { SignInState } from '@gatehouse/contract'

/** What the state of a sign-in is called, and its colour. */
export const signInStateWords: Record<SignInState['state'], { text: string; color: string }> = {
  none: { text: 'no sign-in', color: 'gray' },
  static: { text: 'sent as it is', color: 'gray' },
  never: { text: 'not signed in yet', color: 'gray' },
  valid: { text: 'signed in', color: 'green' },
  refused: { text: 'sign-in refused', color: 'red' },
  expired: { text: 'token expired', color: 'yellow' },
}

const dayMs = 86_400_000
const warningDays = 30

interface ExpiryWarning {
  text: string
  color: 'red' | 'orange' | 'yellow'
}

export interface SignInWarning extends ExpiryWarning {
  /** Why; blank where the text says it all. */
  detail: string
}

/** What of a sign-in needs somebody. A token that is obtained renews itself, so its end needs nobody. */
export function signInWarnings(signIn: SignInState, now: Date): SignInWarning[] {
  const { state, message, certificate, refresh_token: refreshToken } = signIn
  const warnings: SignInWarning[] = []
  if (state === 'refused') {
    warnings.push({ text: signInStateWords.refused.text, color: 'red', detail: message })
  } else if (message !== '') {
    warnings.push({ text: 'sign-in fails', color: 'orange', detail: message })
  }
  const expiry = certificate && certificateWarning(certificate.expires_at, now)
  if (expiry) warnings.push({ ...expiry, detail: '' })
  const end = refreshToken && refreshTokenWarning(refreshToken, now)
  if (end) warnings.push({ ...end, detail: '' })
  return warnings
}

/** The same for a refresh token, once half of its life is over: one that is renewed often is always near its end. */
function refreshTokenWarning(
  { since, expires_at }: NonNullable<SignInState['refresh_token']>,
  now: Date,
): ExpiryWarning | undefined {
  const isYoung = Date.parse(expires_at) - now.getTime() > now.getTime() - Date.parse(since)
  return isYoung ? undefined : expiryWarning('refresh token', expires_at, now)
}

/** What to say of a certificate that expires within 30 days; undefined for any other. */
export const certificateWarning = (expiresAt: string, now: Date): ExpiryWarning | undefined =>
  expiryWarning('certificate', expiresAt, now)

function expiryWarning(what: string, expiresAt: string, now: Date): ExpiryWarning | undefined {
  const leftMs = Date.parse(expiresAt) - now.getTime()
  if (leftMs <= 0) return { text: `${what} expired`, color: 'red' }
  const days = Math.ceil(leftMs / dayMs)
  if (days > warningDays) return undefined
  const color = days <= 1 ? 'red' : days <= 7 ? 'orange' : 'yellow'
  return { text: `${what} expires in ${days === 1 ? '1 day' : `${days} days`}`, color }
}
