import { createHash, randomBytes } from 'node:crypto'
import type { Language, SessionUser } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import { isSuperAdmin, sessionOf, type Actor, type Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { refuseGuessablePassword } from '../../kernel/guessable-password.ts'
import { hashPassword, verifyPassword } from '../../kernel/password-hash.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { LoginThrottle } from './login-throttle.ts'
import { describeUser, type SessionCheck } from './session-check.ts'

const dayMs = 86_400_000
/** For how long an address counts as one that the user signs in from. */
const knownAddressMs = 30 * dayMs
const userAgentLength = 300

interface SignInOrigin {
  address: string
  requestId: string
  /** What the browser calls itself; blank where it does not. */
  userAgent: string
}

/** What a sign-in returns. */
interface SignIn {
  token: string
  /** Opens the download of logs in a browser, and nothing else. */
  downloadCookie: string
  user: SessionUser
  language: Language | null
}

/** Last use is written at most this often, so that most reads write nothing. */
const touchEveryMs = 60_000

export interface SessionServiceOptions {
  stores: Pick<Stores, 'sessions' | 'users' | 'loginFailures' | 'languages'>
  inTransaction: InTransaction
  clock: Clock
  check: SessionCheck
  recordRefusal: Stores['audit']['record']
}

export class SessionService {
  readonly #options: SessionServiceOptions
  readonly #throttle: LoginThrottle

  constructor(options: SessionServiceOptions) {
    this.#options = options
    this.#throttle = new LoginThrottle(options)
  }

  /** How long a session lives at most. */
  get maxAgeMs(): number {
    return this.#options.check.maxMs
  }

  /**
   * Signs in and returns the token and the download cookie, which are shown this once and stored as
   * hashes. An unknown account and a wrong password can be distinguished neither by the answer nor by the time
   * it takes.
   */
  async login(email: string, password: string, by: SignInOrigin): Promise<SignIn> {
    const account = email.toLowerCase()
    const user = await this.#verified(account, password, by)
    const token = `ghs_${randomBytes(32).toString('base64url')}`
    const downloadCookie = randomBytes(32).toString('base64url')
    const now = this.#options.clock.now()
    const at = now.toISOString()
    const oldest = new Date(now.getTime() - knownAddressMs - this.maxAgeMs).toISOString()
    const described = await this.#options.inTransaction(async (within) => {
      // If the password was changed during the check, the sign-in fails too.
      const fresh = await within.users.hold(user.id)
      if (fresh?.password_hash !== user.password_hash) return undefined
      await within.sessions.removeOlderThan(oldest)
      await within.sessions.insert({
        user_id: user.id,
        token_hash: hashToken(token),
        download_hash: hashToken(downloadCookie),
        address: by.address,
        user_agent: by.userAgent.slice(0, userAgentLength),
        created_at: at,
        last_used_at: at,
      })
      await within.audit.record(
        { ...by, user: fresh },
        { action: 'session.login', thing: 'session', name: fresh.email },
      )
      return describeUser(within.users, fresh, await within.users.rolesOf(fresh.id))
    })
    if (!described) throw await this.#refused(account, by)
    const language = await this.#options.stores.languages.find(user.id)
    return { token, downloadCookie, user: described, language }
  }

  /** Whose account and password these are. Throws 401 or 429, alike for accounts that exist and others. */
  async #verified(account: string, password: string, by: SignInOrigin): Promise<Row<'user'>> {
    const { sessions, users } = this.#options.stores
    const user = await users.findByEmail(account)
    // Queried for unknown accounts too, so that the time it takes shows nothing.
    const since = new Date(this.#options.clock.now().getTime() - knownAddressMs).toISOString()
    const isKnownHere = await sessions.hasSignedInFrom(user?.id ?? 0, by.address, since)
    const attempt = await this.#throttle.begin(account, by.address)
    const mayTry = isKnownHere || attempt.refusal === undefined
    // Without a hash to compare with, the check takes equally long.
    const isRight = await verifyPassword(password, mayTry ? user?.password_hash : undefined)
    if (!isRight || !user) throw attempt.refusal ?? (await this.#refused(account, by))
    await attempt.succeed()
    return user
  }

  async #refused(account: string, by: SignInOrigin): Promise<AppError> {
    await this.#options.recordRefusal(by, {
      action: 'session.refused',
      outcome: 'refused',
      thing: 'session',
      name: account,
    })
    return new AppError('session.invalid_credentials')
  }

  /** Who holds this token; undefined when it is unknown, ended or expired. */
  authenticate(token: string): Promise<Caller | undefined> {
    return this.#callerOf('token_hash', token)
  }

  /** Whose session this download cookie was set for; undefined likewise. */
  authenticateDownload(cookie: string): Promise<Caller | undefined> {
    return this.#callerOf('download_hash', cookie)
  }

  async #callerOf(
    column: 'token_hash' | 'download_hash',
    secret: string,
  ): Promise<Caller | undefined> {
    const { stores, clock, check } = this.#options
    const { sessions, users } = stores
    const found = await sessions.findSignedIn(column, hashToken(secret))
    if (!found || check.isExpired(found.session)) return undefined
    const { session, roles, permissions } = found
    const now = clock.now()
    const idle = now.getTime() - Date.parse(session.last_used_at)
    const user = await describeUser(users, found.user, roles, permissions)
    if (idle > touchEveryMs) await sessions.touch(session.id, now.toISOString())
    return { user, sessionId: session.id, isSuperAdmin: isSuperAdmin(user) }
  }

  /** Whether a session is still open, for work that goes on after its call. Does not count as a use. */
  async isOpen(sessionId: number): Promise<boolean> {
    const session = await this.#options.stores.sessions.findOpenById(sessionId)
    return session !== undefined && !this.#options.check.isExpired(session)
  }

  async logout(actor: Actor): Promise<void> {
    const { user } = actor.caller
    const sessionId = sessionOf(actor.caller)
    await this.#options.inTransaction(async ({ sessions, audit }) => {
      await sessions.end(sessionId, this.#options.clock.now().toISOString())
      await audit.record(actor, { action: 'session.logout', thing: 'session', name: user.email })
    }, actor.caller)
  }

  /** The caller's open sessions, the last used first. */
  async listOwn({ user }: Caller): Promise<Row<'session'>[]> {
    const open = await this.#options.stores.sessions.listOpen(user.id)
    return open.filter((session) => !this.#options.check.isExpired(session))
  }

  /** Ends one of the caller's sessions, or all others. Throws 404 for another user's session. */
  async endOwn(which: number | 'others', actor: Actor): Promise<void> {
    const { inTransaction, clock } = this.#options
    const { user } = actor.caller
    const sessionId = sessionOf(actor.caller)
    const at = clock.now().toISOString()
    await inTransaction(async ({ sessions, audit }) => {
      if (which === 'others') await sessions.endAllOf(user.id, at, sessionId)
      else {
        const session = await sessions.findOpenById(which)
        if (session?.user_id !== user.id) throw new AppError('session.not_found')
        await sessions.end(which, at)
      }
      await audit.record(actor, {
        action: which === 'others' ? 'session.revoke_others' : 'session.revoke',
        thing: 'session',
        id: which === 'others' ? null : which,
        name: user.email,
      })
    }, actor.caller)
  }

  /**
   * Makes sure that it is the user themselves who asks, and returns the hash that their password was
   * checked against. Throws a 422 on `current_password`, or a 429: a stolen session must not become a
   * way to guess the password.
   */
  async confirmOwn(current: string, { caller, address }: Actor): Promise<string> {
    if (current === '')
      throw fieldError({ current_password: ['The current password field is required.'] })
    const attempt = await this.#throttle.begin(caller.user.email.toLowerCase(), address)
    const row = await this.#options.stores.users.find(caller.user.id)
    if (!row?.password_hash || !(await verifyPassword(current, row.password_hash)))
      throw fieldError({ current_password: ['This is not your current password.'] })
    await attempt.succeed()
    return row.password_hash
  }

  /** The language that the caller has chosen; null: the browser's. */
  languageOf({ user }: Caller): Promise<Language | null> {
    return this.#options.stores.languages.find(user.id)
  }

  /** Keeps the caller's choice of a language. It is no event of the audit trail: it changes no one's rights. */
  async chooseLanguage(language: Language, caller: Caller): Promise<void> {
    await this.#options.inTransaction(
      ({ languages }) => languages.choose(caller.user.id, language),
      caller,
    )
  }

  /** Changes the caller's password, given the current one, and ends all other sessions. */
  async changePassword(current: string, password: string, actor: Actor): Promise<void> {
    const { inTransaction, clock } = this.#options
    const { user } = actor.caller
    const sessionId = sessionOf(actor.caller)
    const confirmed = await this.confirmOwn(current, actor)
    // After the throttle: the estimate is costly, and needs the current password.
    await refuseGuessablePassword(password, user)
    const password_hash = await hashPassword(password)
    const at = clock.now().toISOString()
    await inTransaction(async ({ users, sessions, audit }) => {
      const row = await users.find(user.id)
      const updated =
        row?.password_hash === confirmed &&
        (await users.update(user.id, row.version, { password_hash, updated_at: at }))
      if (!updated) throw new AppError('record.changed')
      await sessions.endAllOf(user.id, at, sessionId)
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
