import type { SecondFactorSetup } from '@gatehouse/contract'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import { sessionOf, type Actor, type Caller } from '../../kernel/caller.ts'
import type { Row } from '../../db/tables.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { codesPaused } from '../../kernel/passwords/codes-paused.ts'
import type { SecondFactorGate } from './second-factor-gate.ts'

export interface SecondFactorOptions {
  inTransaction: InTransaction
  clock: Clock
  gate: SecondFactorGate
  /**
   * Checks the caller's current password and then the rest, which throws where it is wrong: guesses of
   * both are slowed down alike.
   */
  confirmOwn: (current: string, actor: Actor, rest?: () => Promise<void>) => Promise<unknown>
  /** Does work that throws where a code is wrong, and slows guesses down like those of passwords. */
  slowedDown: <T>(actor: Actor, work: () => Promise<T>) => Promise<T>
  /** The user whose sign-in the caller may reset. Throws a 403, 404 or 409. */
  holdOther: (stores: Stores, userId: number, actor: Actor) => Promise<Row<'user'>>
}

/** What a user shows who asks for something that an open session is not enough for. */
interface Proof {
  current_password: string
  /** Blank where there is no second factor. */
  code: string
}

/** The second factor of users who are signed in, and the reset of another user's. */
export class SecondFactorService {
  readonly #options: SecondFactorOptions

  constructor(options: SecondFactorOptions) {
    this.#options = options
  }

  stateOf({ user }: Caller) {
    return this.#options.inTransaction(async ({ secondFactors }) => {
      const factor = await secondFactors.find(user.id)
      return {
        since: factor?.confirmed_at ?? null,
        recovery_codes_left: await secondFactors.countRecoveryCodes(user.id),
        is_required: await secondFactors.isRequired(user.id),
      }
    })
  }

  async begin(current: string, actor: Actor): Promise<SecondFactorSetup> {
    const { inTransaction, gate, confirmOwn } = this.#options
    const { user } = actor.caller
    await confirmOwn(current, actor)
    const secret = await inTransaction(async (stores) => {
      const factor = await stores.secondFactors.find(user.id)
      if (factor?.confirmed_at) throw new AppError('second_factor.is_on')
      return gate.begin(stores, user.id)
    }, actor.caller)
    return gate.setupOf(user.email, secret)
  }

  /** Returns the recovery codes. All other sessions end: they were opened without the second factor. */
  confirm(code: string, actor: Actor): Promise<string[]> {
    const { inTransaction, gate, clock, slowedDown } = this.#options
    const { user } = actor.caller
    const sessionId = sessionOf(actor.caller)
    const turnOn = async (stores: Stores) => {
      const factor = await stores.secondFactors.find(user.id)
      if (!factor) throw new AppError('second_factor.is_off')
      if (factor.confirmed_at) throw new AppError('second_factor.is_on')
      if (gate.isOver(factor)) throw new AppError('second_factor.is_off', { message: tooLate })
      const codes = await gate.confirm(stores, factor, code)
      if (!codes) throw wrongCode()
      await stores.sessions.endAllOf(user.id, clock.now().toISOString(), sessionId)
      await stores.audit.record(actor, { ...eventOf(user), action: 'user.second_factor_on' })
      return codes
    }
    return slowedDown(actor, () => inTransaction(turnOn, actor.caller))
  }

  renewRecoveryCodes(current: string, code: string, actor: Actor): Promise<string[]> {
    const { gate } = this.#options
    const { user } = actor.caller
    return this.#confirmed(current, code, actor, async (stores) => {
      await stores.audit.record(actor, { ...eventOf(user), action: 'user.recovery_codes' })
      return gate.renewRecoveryCodes(stores, user.id)
    })
  }

  async remove(current: string, code: string, actor: Actor): Promise<void> {
    const { user } = actor.caller
    await this.#confirmed(current, code, actor, async ({ secondFactors, audit }) => {
      if (await secondFactors.isRequired(user.id)) throw new AppError('second_factor.is_required')
      await secondFactors.remove(user.id)
      await audit.record(actor, { ...eventOf(user), action: 'user.second_factor_off' })
    })
  }

  #confirmed<T>(
    current_password: string,
    code: string,
    actor: Actor,
    work: (stores: Stores) => Promise<T>,
  ): Promise<T> {
    return this.prove({ current_password, code }, actor, (stores, hasFactor) => {
      if (!hasFactor) throw new AppError('second_factor.is_off')
      return work(stores)
    })
  }

  /**
   * Makes sure that it is the user themselves who asks: by their password and, where their second factor is
   * on, by a code. The work runs in the transaction that takes the code: refused, the code is not used up.
   * Throws a 422 on `current_password` or `code`, or a 429.
   */
  async prove<T>(
    { current_password, code }: Proof,
    actor: Actor,
    work: (stores: Stores, hasFactor: boolean) => Promise<T>,
  ): Promise<T> {
    const { inTransaction, gate, confirmOwn } = this.#options
    const { user } = actor.caller
    const { address, requestId } = actor
    const holder = { user, address, requestId, place: `session ${sessionOf(actor.caller)}` }
    let done: { result: T } | undefined
    await confirmOwn(current_password, actor, async () => {
      const made = await inTransaction(async (stores) => {
        const factor = await stores.secondFactors.find(user.id)
        if (!factor?.confirmed_at) return { result: await work(stores, false) }
        if (code === '') throw fieldError({ code: ['Enter a code of your authenticator app.'] })
        const checked = await gate.check(stores, factor, code, holder)
        // What is wrong counts, and is committed.
        return checked.outcome === 'passed' ? { result: await work(stores, true) } : checked
      }, actor.caller)
      if ('outcome' in made)
        throw made.outcome === 'paused' ? codesPaused(made.waitMs) : wrongCode()
      done = made
    })
    return done!.result
  }

  /** For a user who has lost the app and the recovery codes. */
  async reset(userId: number, actor: Actor): Promise<void> {
    const { inTransaction, clock, holdOther } = this.#options
    await inTransaction(async (stores) => {
      const user = await holdOther(stores, userId, actor)
      if (!(await stores.secondFactors.remove(userId))) throw new AppError('second_factor.is_off')
      await stores.sessions.endAllOf(userId, clock.now().toISOString())
      await stores.audit.record(actor, { ...eventOf(user), action: 'user.second_factor_reset' })
    }, actor.caller)
  }
}

const eventOf = ({ id, name }: { id: number; name: string }) => ({
  thing: 'user' as const,
  id,
  name,
})

const tooLate = 'This set-up is older than ten minutes. Begin again.'

const wrongCode = () =>
  fieldError({ code: ['This code is wrong, or was used before. Wait for the next one.'] })
