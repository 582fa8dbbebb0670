import type { SessionUser } from '@gatehouse/contract'

/** Who asks to sign in, and with which browser. */
export interface SignInOrigin {
  address: string
  requestId: string
  /** What the browser calls itself; blank where it does not. */
  userAgent: string
}

/** What a sign-in returns. */
export interface SignIn {
  token: string
  /** Opens the download of logs in a browser, and nothing else. */
  downloadCookie: string
  user: SessionUser
}
