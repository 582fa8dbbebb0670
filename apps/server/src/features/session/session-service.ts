import { createHash, randomBytes } from 'node:crypto'
import type { SessionUser } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import type { Actor, Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { refuseGuessablePassword } from '../../kernel/guessable-password.ts'
import { hashPassword, verifyPassword } from '../../kernel/password-hash.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { LoginThrottle } from './login-throttle.ts'
import { describeUser, isSuperAdmin, type SessionCheck } from './session-check.ts'

const dayMs = 86_400_000
/** For how long an address counts as one that the user signs in from. */
const knownAddressMs = 30 * dayMs
/** What a sign-in hands out. */
export interface SignIn {
  token: string
  /** Opens the download of logs in a browser, and nothing else. */
  downloadCookie: string
  user: SessionUser
}

/** Last use is written at most this often: reads stay reads. */
const touchEveryMs = 60_000

export interface SessionServiceOptions {
  stores: Pick<Stores, 'sessions' | 'users' | 'audit'>
  inTransaction: InTransaction
  clock: Clock
  check: SessionCheck
}

export class SessionService {
  readonly #options: SessionServiceOptions
  readonly #throttle = new LoginThrottle()

  constructor(options: SessionServiceOptions) {
    this.#options = options
  }

  /** How long a session lives at most. */
  get maxAgeMs(): number {
    return this.#options.check.maxMs
  }

  /**
   * Signs in and returns the token and the download cookie, which are shown this once and stored as
   * hashes. An unknown account and a wrong password are told apart neither by the answer nor by the time
   * it takes.
   */
  async login(
    email: string,
    password: string,
    by: { address: string; requestId: string },
  ): Promise<SignIn> {
    const { stores, clock } = this.#options
    const { sessions, users, audit } = stores
    const { address } = by
    const now = clock.now()
    const account = email.toLowerCase()
    const user = await users.findByEmail(email)
    // Asked for unknown accounts too, for the sake of the time it takes.
    const since = new Date(now.getTime() - knownAddressMs).toISOString()
    const isKnownHere = await sessions.hasSignedInFrom(user?.id ?? 0, address, since)
    this.#throttle.check(account, address, isKnownHere, now.getTime())
    // Counted before the hash is known, so that parallel guesses don't all pass the check above.
    this.#throttle.recordFailure(account, address, now.getTime())
    if (!(await verifyPassword(password, user?.password_hash)) || !user) {
      await audit.record(by, {
        action: 'session.refused',
        outcome: 'refused',
        thing: 'session',
        name: account,
      })
      throw new AppError('session.invalid_credentials')
    }
    this.#throttle.recordSuccess(account, address)
    const token = `ghs_${randomBytes(32).toString('base64url')}`
    const downloadCookie = randomBytes(32).toString('base64url')
    const at = now.toISOString()
    const oldest = new Date(now.getTime() - knownAddressMs - this.maxAgeMs).toISOString()
    await this.#options.inTransaction(async (within) => {
      await within.sessions.removeOlderThan(oldest)
      await within.sessions.insert({
        user_id: user.id,
        token_hash: hashToken(token),
        download_hash: hashToken(downloadCookie),
        address,
        created_at: at,
        last_used_at: at,
      })
      await within.audit.record(
        { ...by, user },
        { action: 'session.login', thing: 'session', name: user.email },
      )
    })
    return {
      token,
      downloadCookie,
      user: await describeUser(users, user, await users.rolesOf(user.id)),
    }
  }

  /** Who holds this token; undefined when it is unknown, ended or expired. */
  async authenticate(token: string): Promise<Caller | undefined> {
    const { sessions } = this.#options.stores
    return this.#callerOf(await sessions.findOpen(hashToken(token)))
  }

  /** Whose session this download cookie was set for; undefined likewise. */
  async authenticateDownload(cookie: string): Promise<Caller | undefined> {
    const { sessions } = this.#options.stores
    return this.#callerOf(await sessions.findOpenByDownload(hashToken(cookie)))
  }

  async #callerOf(session: Row<'session'> | undefined): Promise<Caller | undefined> {
    const { stores, clock, check } = this.#options
    if (!session || check.isExpired(session)) return undefined
    const { sessions, users } = stores
    const now = clock.now()
    const idle = now.getTime() - Date.parse(session.last_used_at)
    const row = await users.find(session.user_id)
    if (!row) return undefined
    if (idle > touchEveryMs) await sessions.touch(session.id, now.toISOString())
    const user = await describeUser(users, row, await users.rolesOf(row.id))
    return { user, sessionId: session.id, isSuperAdmin: isSuperAdmin(user) }
  }

  /** Whether a session still lets its user in, for what goes on after it was asked; asking is no use of it. */
  async isOpen(sessionId: number): Promise<boolean> {
    const session = await this.#options.stores.sessions.findOpenById(sessionId)
    return session !== undefined && !this.#options.check.isExpired(session)
  }

  async logout(actor: Actor): Promise<void> {
    const { user, sessionId } = actor.caller
    await this.#options.inTransaction(async ({ sessions, audit }) => {
      await sessions.end(sessionId, this.#options.clock.now().toISOString())
      await audit.record(actor, { action: 'session.logout', thing: 'session', name: user.email })
    }, actor.caller)
  }

  /** Changes one's own password, which the current one allows, and ends all other sessions. */
  async changePassword(current: string, password: string, actor: Actor): Promise<void> {
    const { inTransaction, stores, clock } = this.#options
    const { user, sessionId } = actor.caller
    const now = clock.now()
    // A stolen session must not become a way to guess the password.
    const account = user.email.toLowerCase()
    this.#throttle.check(account, actor.address, true, now.getTime())
    this.#throttle.recordFailure(account, actor.address, now.getTime())
    const row = await stores.users.find(user.id)
    if (!row || !(await verifyPassword(current, row.password_hash))) {
      throw fieldError({ current_password: ['This is not your current password.'] })
    }
    this.#throttle.recordSuccess(account, actor.address)
    // After the throttle: this is work, and not to be had without the current password.
    await refuseGuessablePassword(password, user)
    const password_hash = await hashPassword(password)
    await inTransaction(async ({ users, sessions, audit }) => {
      const updated = await users.update(user.id, row.version, {
        password_hash,
        updated_at: now.toISOString(),
      })
      if (!updated) throw new AppError('record.changed')
      await sessions.endAllOf(user.id, now.toISOString(), sessionId)
      await audit.record(actor, {
        action: 'user.password',
        thing: 'user',
        id: user.id,
        name: user.name,
      })
    }, actor.caller)
  }
}

const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')
