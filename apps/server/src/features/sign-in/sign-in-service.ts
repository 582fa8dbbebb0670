import { isTokenCredential, type SignInPlaceName, type TokenCredential } from '@gatehouse/contract'
import { secretsOf, signedIn, signedInWith } from '@gatehouse/upstream'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { askAuthority } from './ask-authority.ts'
import { SignInFailure } from '../../kernel/sign-in-failure.ts'
import type { SignInPlace, SignInRow } from './sign-in-store.ts'
import type { IssuedToken, SignInTarget } from './sign-in-target.ts'
import { TokenRenewal, type TokenRenewalOptions, type Wish } from './token-renewal.ts'
import { TokenRows, type RowFinder } from './token-rows.ts'

export interface SignInServiceOptions extends Omit<TokenRenewalOptions, 'rows'> {
  secrets: SecretBox
}

type TokenListener = (place: SignInPlace, issued: IssuedToken) => void

interface Held {
  issued: IssuedToken
  /** Until then no renewal ahead is tried. */
  quietUntilMs: number
}

/** Between two looks at a renewal that another server makes, or that has failed. */
const quietMs = 1_000

/**
 * Tokens for calls, obtained once for all calls and all servers, and renewed before they end
 * (spec: sign-in-tokens). While a token lives, a call reads nothing from the database.
 */
export class SignInService {
  readonly #options: SignInServiceOptions
  readonly #rows: TokenRows
  readonly #renewal: TokenRenewal
  readonly #held = new Map<string, Held>()
  readonly #underWay = new Map<string, Promise<IssuedToken>>()
  readonly #listeners = new Set<TokenListener>()
  /** Counts the changes of the configuration. */
  #age = 0

  constructor(options: SignInServiceOptions) {
    this.#options = options
    this.#rows = new TokenRows(options)
    this.#renewal = new TokenRenewal({ ...options, rows: this.#rows })
  }

  /** Called with each token that this server obtained, or took over from another one. */
  subscribe(listener: TokenListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** A token that lives. Throws `upstream.sign_in` where there is none, at once while a back-off lasts. */
  async token(place: SignInPlace): Promise<IssuedToken> {
    const held = this.#held.get(keyOf(place))
    const nowMs = this.#options.clock.now().getTime()
    if (!held || held.issued.expiresAt.getTime() <= nowMs) {
      return this.#get(place, { why: 'needed' })
    }
    if (held.issued.renewAt.getTime() <= nowMs && held.quietUntilMs <= nowMs) {
      held.quietUntilMs = nowMs + quietMs
      this.#renewAhead(place)
    }
    return held.issued
  }

  /**
   * A token in place of one that an upstream has refused (401, or what `refused_when` says). Of many
   * calls with one version, one signs in. Undefined where the refusal stands: the sign-in is refused too,
   * or the last renewal of this kind was a moment ago. Throws a `SignInFailure` where it is the sign-in that
   * is ill.
   */
  async renewRefused(place: SignInPlace, version: number): Promise<IssuedToken | undefined> {
    // What is under way may have begun before the token was refused.
    await this.#underWay.get(keyOf(place))?.catch(() => {})
    const held = this.#held.get(keyOf(place))
    if (held && held.issued.version > version) return held.issued
    try {
      const issued = await this.#get(place, { why: 'refused', version })
      return issued.version > version ? issued : undefined
    } catch (error) {
      if (error instanceof SignInFailure && error.isRefused) return undefined
      throw error
    }
  }

  /** Signs in, past cache and back-off. Throws a `SignInFailure`. */
  async signInNow(place: SignInPlace): Promise<IssuedToken> {
    await this.#underWay.get(keyOf(place))?.catch(() => {})
    return this.#get(place, { why: 'now' })
  }

  /**
   * Signs in with a credential that is not stored, and keeps nothing of it. Throws a `SignInFailure`, also where
   * that would use up a refresh token.
   */
  async tryOnce(target: SignInTarget & { credential: TokenCredential }): Promise<string> {
    const { upstream, clock } = this.#options
    const { credential } = target
    if (credential.kind === 'oauth2_refresh_token') throw new SignInFailure(usesUp)
    const outcome = await askAuthority(upstream, credential, target, clock.now())
    if (outcome.ok) return outcome.obtained.token
    throw new SignInFailure(outcome.problem.message, { problem: outcome.problem })
  }

  /** What is known of a credential's token; undefined where none was asked for. */
  find(place: SignInPlace, credential: TokenCredential): Promise<SignInRow | undefined> {
    return this.#rows.find(place, credential)
  }

  /** The same for all APIs, with one read. */
  findAll(which: SignInPlaceName): Promise<RowFinder> {
    return this.#rows.readAll(which)
  }

  /** Everything secret that a call carries now: for masking. */
  async secretsAt(place: SignInPlace): Promise<string[]> {
    const credential = (await this.#options.targetOf(place))?.credential
    if (!credential) return []
    if (!isTokenCredential(credential)) return [...signedIn(credential).secrets]
    const row = await this.find(place, credential)
    const token = row && this.#rows.living(row)?.token
    return token === undefined
      ? secretsOf(credential)
      : [...signedInWith(credential, token).secrets]
  }

  /** To be called with each change of the configuration: what a credential gave may be over. */
  forget(): void {
    this.#age += 1
    this.#held.clear()
  }

  /** One at a time in this process; the others get the same. */
  #get(place: SignInPlace, wish: Wish): Promise<IssuedToken> {
    const key = keyOf(place)
    const running = this.#underWay.get(key)
    if (running) return running
    const age = this.#age
    // The credential may be another one by then. If it is not, a second look finds what was saved.
    const isOld = () => age !== this.#age && this.#underWay.get(key) === started
    const again = (next: Wish) => {
      this.#underWay.delete(key)
      return this.#get(place, next)
    }
    const started: Promise<IssuedToken> = this.#renewal
      .get(place, wish)
      .then(
        (issued) => (isOld() ? again({ why: 'needed' }) : this.#hold(place, issued, age)),
        (error: unknown) => {
          if (!isOld() || !(error instanceof SignInFailure)) throw error
          return again(wish.why === 'now' ? wish : { why: 'needed' })
        },
      )
      .finally(() => {
        if (this.#underWay.get(key) === started) this.#underWay.delete(key)
      })
    this.#underWay.set(key, started)
    return started
  }

  #hold(place: SignInPlace, issued: IssuedToken, age: number): IssuedToken {
    if (age !== this.#age) return issued
    const key = keyOf(place)
    const held = this.#held.get(key)
    if (held?.issued.version === issued.version) return held.issued
    this.#held.set(key, { issued, quietUntilMs: 0 })
    for (const listener of this.#listeners) listener(place, issued)
    return issued
  }

  #renewAhead(place: SignInPlace): void {
    this.#get(place, { why: 'ahead' }).catch((error: unknown) => {
      // The renewal has logged its own failures.
      if (error instanceof SignInFailure) return
      this.#options.log.error({ err: error, ...place }, 'a token could not be renewed')
    })
  }
}

const usesUp = 'A try would use up the refresh token. Save the sign-in first, then try it.'

const keyOf = ({ apiId, which }: SignInPlace) => `${apiId} ${which}`
