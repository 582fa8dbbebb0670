import type { HttpAnswer, HttpRequest } from '../http/http-answer.ts'

/** Sends one request of a sign-in. Its time-outs, TLS settings and address guard are the API's. */
export type SignInCall = (
  request: Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>,
) => Promise<HttpAnswer>

export interface ObtainedToken {
  token: string
  /** When it ends; assumed where the authority does not say. */
  expiresAt: Date
  /** The authority did not say when it ends, or said nothing usable. */
  isLifetimeAssumed: boolean
  /** Blank where the authority does not say. */
  scope: string
  /** Replaces the one that was used. */
  refreshToken?: string
  /** When the refresh token ends that is valid now; absent where the authority does not say. */
  refreshExpiresAt?: Date
}

type SignInProblemKind =
  /** The authority refuses what it was shown: to repeat it is of no use. */
  | 'refused'
  /** There is an answer, and no token in it. */
  | 'unusable'
  /** There is no answer, or one that asks to come back later. */
  | 'unavailable'

export interface SignInProblem {
  kind: SignInProblemKind
  /** The field of the credential that is to be looked at. */
  field: string
  /** Says what was missing, never what was in the answer. */
  message: string
  /** The sign-in was sent, and may have had its effect: no answer came. */
  isAnswerLost?: boolean
  /** As the authority asks, 1 hour at most. */
  retryAfterSeconds?: number
  /** For the log: addresses and reasons, no secrets. */
  detail?: string
}

export type SignInOutcome =
  | { ok: true; obtained: ObtainedToken }
  | { ok: false; problem: SignInProblem }

export const failedSignIn = (
  kind: SignInProblemKind,
  field: string,
  message: string,
  more: Pick<SignInProblem, 'isAnswerLost' | 'retryAfterSeconds' | 'detail'> = {},
): { ok: false; problem: SignInProblem } => ({
  ok: false,
  problem: { kind, field, message, ...more },
})

/** A token that fits into a header and a row: visible ASCII, up to 16 KiB. */
export const isUsableToken = (token: string) => /^[\x21-\x7e]{1,16384}$/.test(token)
