import type { SecondFactorSetup } from '@gatehouse/contract'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Row } from '../../db/tables.ts'
import type { Stores } from '../../stores.ts'
import { CodeBound, type CodeHolder } from './code-bound.ts'
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts'
import { newSecret, otpauthUri, stepOf } from './totp.ts'

type Within = Pick<Stores, 'secondFactors' | 'codeFailures' | 'audit'>
type Factor = Row<'second_factor'>

/** How long a secret that was shown may be confirmed. */
const setupMs = 10 * 60_000

/** What the second step of a sign-in came to. */
type SecondStep =
  | { outcome: 'passed'; recoveryCodesLeft?: number; newRecoveryCodes?: string[] }
  /** A code was not given. */
  | { outcome: 'needed' }
  | { outcome: 'wrong' }
  /** No code of the app is compared so long. */
  | { outcome: 'paused'; waitMs: number }
  /** A role asks for a second factor that the user has not set up yet: with this secret. */
  | { outcome: 'setup'; secret: string }

/** What a code that was given came to. */
type CheckedCode = Extract<SecondStep, { outcome: 'passed' | 'wrong' | 'paused' }>

interface SecondFactorGateOptions {
  secrets: SecretBox
  clock: Clock
  /** A PNG of this text. */
  drawQr: (text: string) => Promise<Buffer>
}

/** Asks for the second factor. What gets stores runs in the transaction of the change that depends on it. */
export class SecondFactorGate {
  readonly #options: SecondFactorGateOptions
  readonly #bound: CodeBound

  constructor(options: SecondFactorGateOptions) {
    this.#options = options
    this.#bound = new CodeBound(options.clock)
  }

  /** Judges a sign-in whose password is right. What it notes has to be committed, whatever the outcome. */
  async pass(within: Within, holder: CodeHolder, code: string): Promise<SecondStep> {
    const userId = holder.user.id
    const factor = await within.secondFactors.find(userId)
    if (factor?.confirmed_at) {
      if (code === '') return { outcome: 'needed' }
      return this.check(within, factor, code, holder)
    }
    if (!(await within.secondFactors.isRequired(userId))) return { outcome: 'passed' }
    if (code === '' || !factor || this.isOver(factor))
      return { outcome: 'setup', secret: await this.begin(within, userId) }
    const codes = await this.confirm(within, factor, code)
    return codes ? { outcome: 'passed', newRecoveryCodes: codes } : { outcome: 'wrong' }
  }

  /**
   * Takes a code of the app or a recovery code, each once. Commit it too where it is neither, for that counts. During
   * a pause recovery codes are taken alone: nobody guesses them.
   */
  async check(
    within: Within,
    factor: Factor,
    code: string,
    holder: CodeHolder,
  ): Promise<CheckedCode> {
    const { secondFactors } = within
    const userId = factor.user_id
    const held = await this.#bound.hold(within, holder)
    if (held.waitMs <= 0 && (await this.#takesCode(within, factor, code))) {
      await held.succeed()
      return { outcome: 'passed' }
    }
    if (await secondFactors.takeRecoveryCode(userId, recoveryCodeHash(code))) {
      await held.succeed()
      const recoveryCodesLeft = await secondFactors.countRecoveryCodes(userId)
      return { outcome: 'passed', recoveryCodesLeft }
    }
    if (held.waitMs > 0) {
      await held.refuse()
      return { outcome: 'paused', waitMs: held.waitMs }
    }
    await held.fail()
    return { outcome: 'wrong' }
  }

  /** Whether it is a recovery code of the user, and not used yet. It stays unused. */
  hasRecoveryCode({ secondFactors }: Pick<Within, 'secondFactors'>, userId: number, code: string) {
    return secondFactors.hasRecoveryCode(userId, recoveryCodeHash(code))
  }

  /** Stores a new secret, which is asked for once it is confirmed, and returns it. */
  async begin({ secondFactors }: Within, userId: number): Promise<string> {
    const secret = newSecret()
    await secondFactors.begin({
      user_id: userId,
      secret_encrypted: this.#options.secrets.seal(secret, placeOf(userId)),
      created_at: this.#options.clock.now().toISOString(),
    })
    return secret
  }

  /** What an authenticator app takes over. */
  async setupOf(email: string, secret: string): Promise<SecondFactorSetup> {
    const uri = otpauthUri(email, secret)
    const qr_code = (await this.#options.drawQr(uri)).toString('base64')
    return { secret, uri, qr_code }
  }

  /** Whether a set-up was left for too long to be confirmed: somebody may have seen its secret since. */
  isOver({ created_at }: Factor): boolean {
    return this.#options.clock.now().getTime() - Date.parse(created_at) > setupMs
  }

  /** Turns the second factor on by a code of the app. Returns the recovery codes; undefined: the code is wrong. */
  async confirm(within: Within, factor: Factor, code: string): Promise<string[] | undefined> {
    if (!(await this.#takesCode(within, factor, code))) return undefined
    await within.secondFactors.confirm(factor, this.#options.clock.now().toISOString())
    return this.renewRecoveryCodes(within, factor.user_id)
  }

  async renewRecoveryCodes({ secondFactors }: Within, userId: number): Promise<string[]> {
    const codes = newRecoveryCodes()
    await secondFactors.putRecoveryCodes(userId, codes.map(recoveryCodeHash))
    return codes
  }

  async #takesCode(
    { secondFactors }: Pick<Within, 'secondFactors'>,
    factor: Factor,
    typed: string,
  ): Promise<boolean> {
    const secret = this.#options.secrets.open(factor.secret_encrypted, placeOf(factor.user_id))
    const step = stepOf(typed.replace(/\s/g, ''), secret, this.#options.clock.now())
    return step !== undefined && secondFactors.takeStep(factor, step)
  }
}

const placeOf = (userId: number) => ({
  table: 'second_factor',
  row: userId,
  field: 'secret_encrypted',
})
