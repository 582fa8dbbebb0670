import { isPasskeyOrigin } from '@gatehouse/contract'
import { AppError } from '../../kernel/app-error.ts'

/** Where a passkey is made or used: browsers sign the origin, and tie the key to the host (its RP ID). */
export interface PasskeyPlace {
  origin: string
  host: string
  /** Host and port. A page at another port of the host may ask for the same key. */
  site: string
}

/** The one origin at which passkeys work; null: each at which a browser opens the dashboard. */
export const fixedOrigin = (publicUrl: string | undefined): string | null =>
  publicUrl === undefined ? null : new URL(publicUrl).origin

/**
 * The place of a call. `origin` is its header, of which the guard has seen that it names the host that was
 * called. Throws where there are no passkeys.
 */
export function passkeyPlace(fixed: string | null, origin: string | undefined): PasskeyPlace {
  const url = URL.parse(fixed ?? origin ?? '')
  if (!url || !isPasskeyOrigin(url.origin)) throw new AppError('passkey.unavailable')
  if (origin !== undefined && origin !== url.origin)
    throw new AppError('passkey.unavailable', {
      message: `Passkeys work at ${url.origin} alone. Open the dashboard there.`,
    })
  return { origin: url.origin, host: url.hostname, site: url.host }
}
