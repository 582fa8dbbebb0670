import { matchesRule } from '@gatehouse/contract/answer-rule'
import { bodyTree } from '@gatehouse/contract/answer-tree'
import { isTokenCredential } from '@gatehouse/contract/credential'
import { signedIn, signedInWith } from './credential.ts'
import type { Credential, SignedIn } from './credential.ts'
import type { HttpAnswer } from './http/http-answer.ts'

/** An API has a credential for its base URL and may have another for its test base URL. */
export interface SignInPlace {
  apiId: number
  which: 'live' | 'test'
}

export interface CallToken {
  token: string
  /** Rises with each token of a credential. */
  version: number
}

/** Obtains tokens for calls, and shares them. */
export interface Tokens {
  /** A token that lives. Rejects where there is none; the message says why. */
  token(place: SignInPlace): Promise<CallToken>
  /**
   * A token in place of one that was refused. Undefined where the refusal stands: the sign-in is refused too,
   * or the token was obtained after a refusal. Rejects like `token` where none can be had now.
   */
  renewRefused(place: SignInPlace, version: number): Promise<CallToken | undefined>
}

/** What a call carries. */
export interface Carried extends SignedIn {
  /** Of the token that was obtained; null: the credential is static. */
  version: number | null
}

/** What a call carries: a static credential at once, any other with its token. Rejects like `token`. */
export async function signInFor(
  credential: Credential,
  place: SignInPlace,
  tokens: Tokens,
): Promise<Carried> {
  if (credential.kind === 'none' || !isTokenCredential(credential))
    return { ...signedIn(credential), version: null }
  const { token, version } = await tokens.token(place)
  return { ...signedInWith(credential, token), version }
}

/**
 * What a call carries when it is repeated, where the answer has refused a token that was obtained.
 * Undefined where there is nothing to repeat it with. Rejects like `token` where that passes by itself.
 */
export async function renewFor(
  credential: Credential,
  place: SignInPlace,
  { tokens, carried, answer }: { tokens: Tokens; carried: Carried; answer: HttpAnswer },
): Promise<Carried | undefined> {
  if (credential.kind === 'none' || !isTokenCredential(credential)) return undefined
  if (carried.version === null || !isSignInRefused(answer, credential)) return undefined
  const renewed = await tokens.renewRefused(place, carried.version)
  return renewed && { ...signedInWith(credential, renewed.token), version: renewed.version }
}

/**
 * Whether an answer says that the sign-in was refused: 401, or what the rule of the credential names. An
 * answer of the server's own failure (5xx) never says so: what became of the request is unknown then.
 */
export function isSignInRefused(answer: HttpAnswer, credential: Credential): boolean {
  if (answer.status === 401) return true
  const rule = credential.kind === 'none' ? null : credential.refused_when
  if (!rule || !answer.ok || answer.status >= 500) return false
  const body = rule.conditions.length > 0 ? bodyTree(answer.body) : undefined
  return matchesRule(rule, { status: answer.status, body }) === 'holds'
}
