import { randomBytes } from 'node:crypto'
import {
  passkeysMax,
  type PasskeyCreationOptions,
  type PasskeyRegistration,
} from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import { AppError } from '../../kernel/app-error.ts'
import { sessionOf, type Actor, type Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { challengeMs, type Challenges, type Purpose } from './challenges.ts'
import type { PasskeyPlace } from './passkey-place.ts'
import { algorithms, verifyRegistration } from './verify-passkey.ts'

interface Proof {
  current_password: string
  code: string
}

export interface PasskeyServiceOptions {
  inTransaction: InTransaction
  clock: Clock
  challenges: Challenges
  /** Checks the caller's password, and a code where they have a second factor, before the work: throws a 422 or 429. */
  prove: <T>(proof: Proof, actor: Actor, work: (stores: Stores) => Promise<T>) => Promise<T>
  /** The user whose sign-in the caller may reset. Throws a 403, 404 or 409. */
  holdOther: (stores: Stores, userId: number, actor: Actor) => Promise<Row<'user'>>
}

/** The passkeys of users who are signed in, and the reset of another user's. */
export class PasskeyService {
  readonly #options: PasskeyServiceOptions

  constructor(options: PasskeyServiceOptions) {
    this.#options = options
  }

  list({ user }: Caller): Promise<Row<'passkey'>[]> {
    return this.#options.inTransaction(({ passkeys }) => passkeys.listOf(user.id))
  }

  /** What the browser needs to make one. A session that somebody finds open is not enough. */
  begin(
    { name, ...proof }: Proof & { name: string },
    { host, site }: PasskeyPlace,
    actor: Actor,
  ): Promise<PasskeyCreationOptions> {
    const { challenges, prove } = this.#options
    const { user } = actor.caller
    return prove(proof, actor, async ({ passkeys }) => {
      const known = await passkeys.listOf(user.id)
      refuseMore(known)
      // A device keeps one key of a host and a handle: one for another port must not take its place.
      const here = known.filter((passkey) => passkey.host === site)
      const handle = here[0]?.user_handle ?? randomBytes(32).toString('base64url')
      return {
        challenge: challenges.make(purposeOf(actor.caller), { name, handle }),
        rp: { id: host, name: 'Gatehouse' },
        user: { id: handle, name: user.email, displayName: user.name },
        pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
        timeout: challengeMs,
        excludeCredentials: here.map(({ credential_id, transports }) => ({
          type: 'public-key' as const,
          id: credential_id,
          transports: transports.split(' ').filter((each) => each !== ''),
        })),
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        attestation: 'none',
      }
    })
  }

  /** Keeps what the browser has made. */
  async add(
    credential: PasskeyRegistration,
    place: PasskeyPlace,
    actor: Actor,
  ): Promise<Row<'passkey'>> {
    const { inTransaction, clock, challenges } = this.#options
    const { user } = actor.caller
    let opened: ReturnType<Challenges['open']>
    const knowsChallenge = (challenge: string) =>
      (opened = challenges.open(challenge, purposeOf(actor.caller))) !== undefined
    const verified = await verifyRegistration(credential, { ...place, knowsChallenge })
    if (!verified.ok || !opened)
      throw new AppError('passkey.not_taken', { cause: verified.ok ? undefined : verified.reason })
    const { ok: _, ...columns } = verified
    const { kept, taken } = opened
    const { name = '', handle = '' } = kept
    const at = clock.now().toISOString()
    return inTransaction(async ({ users, passkeys, audit }) => {
      // Two at once must not be one too many.
      await users.hold(user.id)
      refuseMore(await passkeys.listOf(user.id))
      const passkey = (await passkeys.takeChallenge(taken, at))
        ? await passkeys.insert({
            ...columns,
            user_id: user.id,
            name,
            transports: credential.response.transports.filter(isTransport).join(' '),
            host: place.site,
            user_handle: handle,
            created_at: at,
          })
        : undefined
      if (!passkey) throw new AppError('passkey.not_taken')
      const after = { passkey: name, host: place.site }
      await audit.record(actor, { ...eventOf(user), action: 'user.passkey_add', after })
      return passkey
    }, actor.caller)
  }

  rename(id: number, name: string, actor: Actor): Promise<Row<'passkey'>> {
    const { user } = actor.caller
    return this.#options.inTransaction(async ({ passkeys, audit }) => {
      const passkey = await passkeys.findOwn(id, user.id)
      if (!passkey) throw new AppError('passkey.not_found')
      await passkeys.rename(id, name)
      await audit.record(actor, {
        ...eventOf(user),
        action: 'user.passkey_rename',
        before: { passkey: passkey.name },
        after: { passkey: name },
      })
      return { ...passkey, name }
    }, actor.caller)
  }

  /** Ends all other sessions: it may be the device that was lost. */
  async remove(id: number, proof: Proof, actor: Actor): Promise<void> {
    const { clock, prove } = this.#options
    const { user } = actor.caller
    await prove(proof, actor, async ({ passkeys, sessions, audit }) => {
      const passkey = await passkeys.findOwn(id, user.id)
      if (!passkey) throw new AppError('passkey.not_found')
      await passkeys.remove(id)
      await sessions.endAllOf(user.id, clock.now().toISOString(), sessionOf(actor.caller))
      const before = { passkey: passkey.name, host: passkey.host }
      await audit.record(actor, { ...eventOf(user), action: 'user.passkey_remove', before })
    })
  }

  /** For a user whose devices are in other hands. */
  async reset(userId: number, actor: Actor): Promise<void> {
    const { inTransaction, clock, holdOther } = this.#options
    await inTransaction(async (stores) => {
      const user = await holdOther(stores, userId, actor)
      const passkeys = await stores.passkeys.removeAllOf(userId)
      if (passkeys === 0) throw new AppError('passkey.none')
      await stores.sessions.endAllOf(userId, clock.now().toISOString())
      const before = { passkeys }
      await stores.audit.record(actor, { ...eventOf(user), action: 'user.passkeys_reset', before })
    }, actor.caller)
  }
}

const purposeOf = (caller: Caller): Purpose => ({
  to: 'register',
  userId: caller.user.id,
  sessionId: sessionOf(caller),
})

const eventOf = ({ id, name }: { id: number; name: string }) => ({
  thing: 'user' as const,
  id,
  name,
})

function refuseMore(known: readonly unknown[]): void {
  if (known.length >= passkeysMax)
    throw new AppError('passkey.not_taken', {
      message: `You have ${passkeysMax} passkeys. Remove one first.`,
    })
}

/** W3C Web Authentication, "AuthenticatorTransport". */
const known = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])
const isTransport = (transport: string) => known.has(transport)
