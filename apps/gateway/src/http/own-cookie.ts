import { downloadCookieName } from '@gatehouse/contract/gateway'

// Browsers keep cookies by host and not by port (RFC 6265 §8.5): the dashboard's comes here too, and an
// upstream could set it.

/** The value of a Cookie header without the dashboard's cookie; empty: nothing is left of it. */
export function withoutOwnCookie(value: string): string {
  if (!value.includes(downloadCookieName)) return value
  const kept = value
    .split(';')
    .filter((pair) => pair.split('=', 1)[0]?.trim() !== downloadCookieName)
  return kept.join(';').trim()
}

/** Also one without a name whose value reads like ours: browsers send both in the same form. */
const ownCookie = new RegExp(`^[\\s=]*${downloadCookieName}\\s*=`)

/** Whether a Set-Cookie header sets the dashboard's cookie. */
export const setsOwnCookie = (value: string): boolean => ownCookie.test(value)
