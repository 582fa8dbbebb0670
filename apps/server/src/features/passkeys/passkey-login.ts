import type { Language, PasskeyAssertion, PasskeyRequestOptions } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import { countFromAddress } from '../../kernel/http/address-throttle.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { HourlyBound } from '../../kernel/time/hourly-counts.ts'
import type { SignIn, SignInOrigin } from '../../kernel/sign-in.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { challengeMs, type Challenges, type TakenChallenge } from './challenges.ts'
import type { PasskeyPlace } from './passkey-place.ts'
import { verifyAssertion } from './verify-passkey.ts'

/** Each sign-in begins once, also one that succeeds, and a company may have one address: so it is generous. */
const beginsOfAddress: HourlyBound = { max: 1_000, code: 'session.throttled' }

export interface PasskeyLoginOptions {
  stores: Pick<Stores, 'passkeys' | 'users' | 'languages'>
  inTransaction: InTransaction
  clock: Clock
  challenges: Challenges
  recordRefusal: Stores['audit']['record']
  /** Opens a session, in the transaction that notes the use; `how` goes to the audit trail. */
  open: (
    stores: Stores,
    user: Row<'user'>,
    by: SignInOrigin,
    how: Record<string, string>,
  ) => Promise<SignIn>
  /** Counts what fails with this code as a wrong password from there. Throws a 429 where there were too many. */
  slowedDown: <T>(by: SignInOrigin, wrong: 'passkey.refused', work: () => Promise<T>) => Promise<T>
}

/** Why a passkey does not sign in. It is kept in the audit trail; the answer is always the same. */
class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** Signs a user in by the signature of a passkey. */
export class PasskeyLogin {
  readonly #options: PasskeyLoginOptions

  constructor(options: PasskeyLoginOptions) {
    this.#options = options
  }

  /** It names no user, so it tells nothing of them. Throws a 429 where the address has begun too many. */
  async begin({ host }: PasskeyPlace, address: string): Promise<PasskeyRequestOptions> {
    const begun = { what: 'passkey', address, bound: beginsOfAddress }
    await countFromAddress(this.#options, begun, async () => {})
    const challenge = this.#options.challenges.make({ to: 'sign in' })
    return { challenge, rpId: host, timeout: challengeMs, userVerification: 'required' }
  }

  /** The device has verified its user by PIN or body, so it stands for both factors. Throws 401 or 429. */
  signIn(
    credential: PasskeyAssertion,
    place: PasskeyPlace,
    by: SignInOrigin,
  ): Promise<SignIn & { language: Language | null }> {
    const { stores, recordRefusal, slowedDown } = this.#options
    return slowedDown(by, 'passkey.refused', async () => {
      const passkey = await stores.passkeys.findByCredential(credential.id)
      try {
        if (!passkey) throw new Refusal('There is no such passkey.')
        const opened = await this.#enter(passkey, credential, place, by)
        return { ...opened, language: await stores.languages.find(passkey.user_id) }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        const user = passkey && (await stores.users.find(passkey.user_id))
        await recordRefusal(by, {
          action: 'session.refused',
          outcome: 'refused',
          thing: 'session',
          name: user?.email ?? '',
          after: { ...(passkey ? { passkey: passkey.name } : {}), reason: reasonOf(error) },
        })
        throw new AppError('passkey.refused')
      }
    })
  }

  async #enter(
    passkey: Row<'passkey'>,
    credential: PasskeyAssertion,
    place: PasskeyPlace,
    by: SignInOrigin,
  ): Promise<SignIn> {
    const { inTransaction, clock, challenges, open } = this.#options
    // Without `PUBLIC_URL` a call says itself where its page is, as a page at another port of the host may.
    if (passkey.host !== place.site) throw new Refusal(`It was made at ${passkey.host}.`)
    let taken: TakenChallenge | undefined
    const knowsChallenge = (challenge: string) =>
      (taken = challenges.open(challenge, { to: 'sign in' })?.taken) !== undefined
    const verified = await verifyAssertion(passkey, credential, { ...place, knowsChallenge })
    if (!verified.ok) throw new Refusal(verified.reason)
    const { counter, is_synced } = verified
    const last_used_at = clock.now().toISOString()
    return inTransaction(async (stores) => {
      const user = await stores.users.hold(passkey.user_id)
      // Who can't sign in with a password can't do so otherwise.
      if (!user?.password_hash) throw new Refusal('The user can’t sign in.')
      if (!taken || !(await stores.passkeys.takeChallenge(taken, last_used_at)))
        throw new Refusal('The answer was used before.')
      if (!(await stores.passkeys.use(passkey, { counter, is_synced, last_used_at })))
        throw new Refusal('The passkey was removed or used at the same moment.')
      return open(stores, user, by, { passkey: passkey.name })
    })
  }
}

const reasonOf = ({ message }: Error) => message.slice(0, 300)
