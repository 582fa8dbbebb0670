import type { Language } from '@gatehouse/contract'
import { generateRandomCodeVerifier, generateRandomNonce, generateRandomState } from 'oauth4webapi'
import type { Logger } from 'pino'
import type { Row } from '../../db/tables.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { SignIn, SignInOrigin } from '../../kernel/sign-in.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { readAttempt, type SignOnAttempt } from './attempt-cookie.ts'
import { ProviderUnreachable, type Claims, type ProviderClient } from './provider-client.ts'
import type { ProviderSettings } from './provider-settings.ts'
import { NoAccess, userOf, type SignOnUse } from './sign-on-users.ts'
import type { Provider } from './sign-on-store.ts'

export interface SignOnServiceOptions {
  stores: Pick<Stores, 'languages'>
  inTransaction: InTransaction
  clock: Clock
  log: Logger
  secrets: SecretBox
  settings: ProviderSettings
  client: ProviderClient
  recordRefusal: Stores['audit']['record']
  /** Opens a session, in the transaction that found its user. */
  open: (
    stores: Stores,
    user: Row<'user'>,
    by: SignInOrigin,
    how: Record<string, string>,
  ) => Promise<SignIn>
  /** Counts what fails with this code, by address. Throws a 429 where there were too many. */
  slowedDown: <T>(by: SignInOrigin, wrong: 'sign_on.refused', work: () => Promise<T>) => Promise<T>
}

/** Signs administrators in with the word of an OpenID provider: authorization code, proof key, state and nonce. */
export class SignOnService {
  readonly #options: SignOnServiceOptions

  constructor(options: SignOnServiceOptions) {
    this.#options = options
  }

  /** Why nobody can be sent to the provider, which is asked now; null: it answers. */
  async problemOf({ issuer }: Provider): Promise<string | null> {
    try {
      await this.#options.client.check(issuer)
      return null
    } catch (error) {
      if (!(error instanceof ProviderUnreachable)) throw error
      return error.message
    }
  }

  /** Where the browser goes, and what it has to bring back. */
  async begin(redirectUri: string): Promise<{ url: string; attempt: SignOnAttempt }> {
    const { settings, client, clock } = this.#options
    const provider = await settings.active()
    const attempt = {
      issuer: provider.issuer,
      state: generateRandomState(),
      nonce: generateRandomNonce(),
      verifier: generateRandomCodeVerifier(),
      redirectUri,
      begunAt: clock.now().getTime(),
    }
    try {
      return { url: await client.urlOf(settings.accountOf(provider), attempt), attempt }
    } catch (error) {
      throw this.#unreachable(error)
    }
  }

  /** Opens a session for whom the provider names. Throws 401, 403, 404, 429 or 502. */
  async finish(
    answer: string,
    cookies: string | undefined,
    by: SignInOrigin,
  ): Promise<SignIn & { language: Language | null; signOutUrl: string | null }> {
    const { settings, secrets, clock, stores, slowedDown } = this.#options
    const provider = await settings.active()
    const attempt = readAttempt(cookies, secrets, clock.now())
    if (attempt?.issuer !== provider.issuer) throw await this.#refused(by, 'not begun here')
    const error = new URLSearchParams(answer).get('error')
    if (error !== null) throw await this.#refused(by, `the provider answered ${error}`)
    const { idToken, ...opened } = await slowedDown(by, 'sign_on.refused', async () => {
      const told = await this.#told(provider, attempt, answer, by)
      return { idToken: told.idToken, ...(await this.#enter(provider, told.claims, by)) }
    })
    return {
      ...opened,
      language: await stores.languages.find(opened.user.id),
      signOutUrl: await this.#signOutUrl(provider, attempt, idToken),
    }
  }

  async #told(
    provider: Provider,
    attempt: SignOnAttempt,
    answer: string,
    by: SignInOrigin,
  ): Promise<{ claims: Claims; idToken: string }> {
    const { settings, client } = this.#options
    const account = settings.accountOf(provider)
    try {
      return await client.claimsOf(account, attempt, answer)
    } catch (error) {
      if (!(error instanceof ProviderUnreachable)) throw await this.#refused(by, error)
      throw this.#unreachable(error)
    }
  }

  async #enter(provider: Provider, claims: Claims, by: SignInOrigin): Promise<SignIn> {
    const { inTransaction, clock, open, recordRefusal } = this.#options
    const { address, requestId } = by
    const at = clock.now().toISOString()
    const use: SignOnUse = { provider, claims, by: { address, requestId }, at }
    try {
      const entered = await inTransaction(async (stores) => {
        const user = await userOf(stores, use)
        return user instanceof NoAccess ? user : open(stores, user, by, { provider: provider.name })
      })
      if (entered instanceof NoAccess) throw entered
      return entered
    } catch (error) {
      if (!(error instanceof NoAccess)) throw error
      await recordRefusal(by, refusal(nameOf(claims), error.message))
      throw new AppError('sign_on.no_access')
    }
  }

  async #signOutUrl(
    provider: Provider,
    { redirectUri }: SignOnAttempt,
    idToken: string,
  ): Promise<string | null> {
    const { settings, client } = this.#options
    if (!provider.signs_out) return null
    try {
      return await client.signOutUrl(settings.accountOf(provider), redirectUri, idToken)
    } catch (error) {
      this.#unreachable(error)
      return null
    }
  }

  #unreachable(error: unknown): AppError {
    if (!(error instanceof ProviderUnreachable)) throw error
    this.#options.log.warn({ reason: error.message }, 'the sign-in provider could not be asked')
    return new AppError('sign_on.unreachable')
  }

  /** The reason is for administrators alone. */
  async #refused(by: SignInOrigin, reason: unknown): Promise<AppError> {
    const text = reason instanceof Error ? reason.message : String(reason)
    await this.#options.recordRefusal(by, refusal('', text))
    return new AppError('sign_on.refused')
  }
}

const refusal = (name: string, reason: string) => ({
  action: 'session.refused' as const,
  outcome: 'refused' as const,
  thing: 'session' as const,
  name,
  after: { reason: reason.slice(0, 300) },
})

const nameOf = ({ email, sub }: Claims) => (typeof email === 'string' ? email : sub).slice(0, 254)
