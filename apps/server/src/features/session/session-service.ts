import type { Language } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import { isSuperAdmin, sessionOf, type Actor, type Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { refuseGuessablePassword } from '../../kernel/passwords/guessable-password.ts'
import {
  hashPassword,
  isKnownPassword,
  verifyPassword,
} from '../../kernel/passwords/password-hash.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { hashToken } from './hash-token.ts'
import type { LoginThrottle } from './login-throttle.ts'
import { describeUser, type SessionCheck } from './session-check.ts'

/** Last use is written at most this often, so that most reads write nothing. */
const touchEveryMs = 60_000

export interface SessionServiceOptions {
  stores: Pick<Stores, 'sessions' | 'users' | 'languages'>
  inTransaction: InTransaction
  clock: Clock
  check: SessionCheck
}

export class SessionService {
  readonly #options: SessionServiceOptions
  readonly #throttle: LoginThrottle

  constructor(options: SessionServiceOptions, throttle: LoginThrottle) {
    this.#options = options
    this.#throttle = throttle
  }

  /** How long a session lives at most. */
  get maxAgeMs(): number {
    return this.#options.check.maxMs
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
   * way to guess the password. So must what is checked beside it: `rest` throws where that is wrong.
   */
  async confirmOwn(current: string, actor: Actor, rest?: () => Promise<void>): Promise<string> {
    if (current === '')
      throw fieldError({ current_password: ['The current password field is required.'] })
    return this.slowedDown(actor, async () => {
      const row = await this.#options.stores.users.find(actor.caller.user.id)
      if (!row?.password_hash || !(await verifyPassword(current, row.password_hash)))
        throw fieldError({ current_password: ['This is not your current password.'] })
      await rest?.()
      return row.password_hash
    })
  }

  /** Work that throws where the caller has guessed wrong: it counts like a wrong password. Throws a 429. */
  async slowedDown<T>({ caller, address }: Actor, work: () => Promise<T>): Promise<T> {
    const attempt = await this.#throttle.begin(caller.user.email.toLowerCase(), address)
    const result = await work()
    await attempt.succeed()
    return result
  }

  /** The language that the caller has chosen; null: the browser's. */
  languageOf({ user }: Caller): Promise<Language | null> {
    return this.#options.stores.languages.find(user.id)
  }

  /** False for a caller who came by a sign-on, and was given no password since. */
  async hasPassword({ user }: Caller): Promise<boolean> {
    const row = await this.#options.stores.users.find(user.id)
    return isKnownPassword(row?.password_hash)
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
      if (row?.password_hash !== confirmed) throw new AppError('record.changed')
      await users.update(user.id, row.version, { password_hash, updated_at: at })
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
