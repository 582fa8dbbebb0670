import { waitMaxSeconds } from '@gatehouse/contract'

/**
 * For how many seconds a caller prefers to wait for the end, from the header `Prefer: wait=N` (RFC 7240
 * §4.3): at most 60. Undefined where it does not say so, or says something else than a whole number. Of
 * several the first counts (§2).
 */
export function readWait(prefer: string | undefined): number | undefined {
  for (const preference of prefer?.split(',') ?? []) {
    // Parameters of a preference follow a semicolon; this one has none.
    const [text = ''] = preference.split(';')
    const [name = '', value = ''] = text.split('=').map((part) => part.trim())
    if (name.toLowerCase() !== 'wait') continue
    const digits = value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value
    const seconds = /^\d{1,9}$/.test(digits) ? Number(digits) : 0
    return seconds > 0 ? Math.min(seconds, waitMaxSeconds) : undefined
  }
  return undefined
}
