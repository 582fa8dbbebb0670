import { downloadCookieName as name, downloadLog } from '@gatehouse/contract'

// A browser that opens the download sends no header. This cookie authorizes the download only:
// it holds another value than the session's token, and the session ends it (spec: sessions).

const valueLength = 43

interface CookieOptions {
  /** Sent over TLS only. */
  isSecure: boolean
}

export function downloadCookie(
  value: string,
  { isSecure, maxAgeMs }: CookieOptions & { maxAgeMs: number },
): string {
  return cookie(value, Math.floor(maxAgeMs / 1000), isSecure)
}

/** Takes the cookie from the browser again. */
export const noDownloadCookie = ({ isSecure }: CookieOptions) => cookie('', 0, isSecure)

function cookie(value: string, maxAgeSeconds: number, isSecure: boolean): string {
  const parts = [
    `${name}=${value}`,
    `Path=${downloadLog.path}`,
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Strict',
  ]
  return [...parts, ...(isSecure ? ['Secure'] : [])].join('; ')
}

/** The cookie's value in a Cookie header; undefined where there is none that we could have set. */
export function readDownloadCookie(header: string | undefined): string | undefined {
  const prefix = `${name}=`
  const found = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix))
    ?.slice(prefix.length)
  return found?.length === valueLength ? found : undefined
}
