import type { Language, SecondFactorSetup } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { codesPaused } from '../../kernel/passwords/codes-paused.ts'
import { verifyPassword } from '../../kernel/passwords/password-hash.ts'
import type { SignIn, SignInOrigin } from '../../kernel/sign-in.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import type { Attempt, LoginThrottle } from './login-throttle.ts'
import { knownAddressMs, openSession } from './open-session.ts'

interface Credentials {
  email: string
  password: string
  /** Blank until the second factor is asked for. */
  code: string
}

interface Opened extends SignIn {
  /** Where this sign-in has set up the second factor. */
  newRecoveryCodes?: string[] | undefined
}

type Unpassed =
  | { outcome: 'needed' }
  | { outcome: 'wrong' }
  | { outcome: 'paused'; waitMs: number }
  | { outcome: 'setup'; secret: string }

/** The second step of a sign-in; it runs in the transaction that opens the session. */
interface SecondStep {
  pass(
    within: Stores,
    holder: SignInOrigin & { user: Row<'user'>; place: string },
    code: string,
  ): Promise<
    Unpassed | { outcome: 'passed'; recoveryCodesLeft?: number; newRecoveryCodes?: string[] }
  >
  hasRecoveryCode(
    within: Pick<Stores, 'secondFactors'>,
    userId: number,
    code: string,
  ): Promise<boolean>
  /** What an authenticator app takes over. */
  setupOf(email: string, secret: string): Promise<SecondFactorSetup>
}

export interface PasswordLoginOptions {
  stores: Pick<Stores, 'sessions' | 'users' | 'languages' | 'secondFactors'>
  inTransaction: InTransaction
  clock: Clock
  check: { maxMs: number }
  recordRefusal: Stores['audit']['record']
  secondStep: SecondStep
}

/** Signs in by e-mail address and password, and by a code where the user has a second factor. */
export class PasswordLogin {
  readonly #options: PasswordLoginOptions
  readonly #throttle: LoginThrottle

  constructor(options: PasswordLoginOptions, throttle: LoginThrottle) {
    this.#options = options
    this.#throttle = throttle
  }

  /**
   * An unknown account and a wrong password can be distinguished neither by the answer nor by the time it
   * takes. Guesses of codes count like guesses of passwords; a right password alone does not.
   */
  async signIn(
    { email, password, code }: Credentials,
    by: SignInOrigin,
  ): Promise<Opened & { language: Language | null }> {
    const account = email.toLowerCase()
    const { user, attempt, place } = await this.#verified(account, { password, code }, by)
    const opened = await this.#options.inTransaction((within) =>
      this.#open(within, { ...by, user, place }, code),
    )
    if (!opened) throw await this.#refused(account, by)
    if ('outcome' in opened) throw await this.#unpassed(opened, user, attempt, by)
    await attempt.succeed()
    return { ...opened, language: await this.#options.stores.languages.find(user.id) }
  }

  /** Undefined: the password was changed during the check, so the sign-in fails too. */
  async #open(
    within: Stores,
    holder: SignInOrigin & { user: Row<'user'>; place: string },
    code: string,
  ): Promise<Opened | Unpassed | undefined> {
    const { clock, check, secondStep } = this.#options
    const { user, place: _, ...by } = holder
    const fresh = await within.users.hold(user.id)
    if (fresh?.password_hash !== user.password_hash) return undefined
    const step = await secondStep.pass(within, holder, code)
    if (step.outcome !== 'passed') return step
    const { newRecoveryCodes, recoveryCodesLeft } = step
    const event = { thing: 'user' as const, id: fresh.id, name: fresh.name }
    const actor = { ...by, user: fresh }
    if (newRecoveryCodes)
      await within.audit.record(actor, { ...event, action: 'user.second_factor_on' })
    if (recoveryCodesLeft !== undefined) {
      const after = { recovery_codes_left: recoveryCodesLeft }
      await within.audit.record(actor, { ...event, action: 'user.recovery_code_used', after })
    }
    const times = { now: clock.now(), maxMs: check.maxMs }
    return { ...(await openSession(within, fresh, by, times)), newRecoveryCodes }
  }

  async #unpassed(
    unpassed: Unpassed,
    { email }: Row<'user'>,
    attempt: Attempt,
    by: SignInOrigin,
  ): Promise<AppError> {
    if (unpassed.outcome === 'wrong') {
      await this.#record(email, by)
      return new AppError('session.wrong_code')
    }
    if (unpassed.outcome === 'paused') return codesPaused(unpassed.waitMs)
    await attempt.withdraw()
    if (unpassed.outcome === 'needed') return new AppError('session.code_needed')
    const second_factor = await this.#options.secondStep.setupOf(email, unpassed.secret)
    return new AppError('session.setup_needed', { extra: { second_factor } })
  }

  /** Whose account and password these are. Throws 401 or 429, alike for accounts that exist and others. */
  async #verified(
    account: string,
    { password, code }: Omit<Credentials, 'email'>,
    by: SignInOrigin,
  ) {
    const { sessions, users } = this.#options.stores
    const user = await users.findByEmail(account)
    // Queried for unknown accounts too, so that the time it takes shows nothing.
    const since = new Date(this.#options.clock.now().getTime() - knownAddressMs).toISOString()
    const isKnownHere = await sessions.hasSignedInFrom(user?.id ?? 0, by.address, since)
    const attempt = await this.#begin(account, user?.id ?? 0, code, by.address)
    const mayTry = isKnownHere || attempt.refusal === undefined
    // Without a hash to compare with, the check takes equally long.
    const isRight = await verifyPassword(password, mayTry ? user?.password_hash : undefined)
    if (!isRight || !user) throw attempt.refusal ?? (await this.#refused(account, by))
    return { user, attempt, place: isKnownHere ? `address ${by.address}` : '' }
  }

  /**
   * Guesses from elsewhere don't keep out a user who has a recovery code. Nobody guesses one of ten codes of 79
   * random bits: it takes 2^75 tries on average. Who has found one gets as many guesses of the password with it as
   * others get without: they count on their own. It is looked for before the password is compared, for every
   * account, so that neither answers nor times show whether the password is right.
   */
  async #begin(account: string, userId: number, code: string, address: string): Promise<Attempt> {
    const { stores, secondStep } = this.#options
    const hasRecoveryCode = await secondStep.hasRecoveryCode(stores, userId, code)
    const attempt = await this.#throttle.begin(account, address)
    if (!attempt.refusal || !hasRecoveryCode) return attempt
    await attempt.withdraw()
    return this.#throttle.begin(`${account} with a recovery code`, address)
  }

  async #refused(account: string, by: SignInOrigin): Promise<AppError> {
    await this.#record(account, by)
    return new AppError('session.invalid_credentials')
  }

  async #record(account: string, by: SignInOrigin): Promise<void> {
    await this.#options.recordRefusal(by, {
      action: 'session.refused',
      outcome: 'refused',
      thing: 'session',
      name: account,
    })
  }
}
