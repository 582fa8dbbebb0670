import { createHash, randomBytes } from 'node:crypto'
import { permissions, superAdminRole, type SessionUser } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { LoginThrottle } from './login-throttle.ts'
import { verifyPassword } from './password-hash.ts'
import type { SessionStore } from './session-store.ts'
import type { UserStore } from './user-store.ts'

const dayMs = 86_400_000
/** For how long an address counts as one that the user signs in from. */
const knownAddressMs = 30 * dayMs
/** Last use is written at most this often: reads stay reads. */
const touchEveryMs = 60_000

export interface SessionServiceOptions {
  sessions: SessionStore
  users: UserStore
  clock: Clock
  /** How long a session lives unused, and at most. */
  idleMs: number
  maxMs: number
}

export class SessionService {
  readonly #options: SessionServiceOptions
  readonly #throttle = new LoginThrottle()

  constructor(options: SessionServiceOptions) {
    this.#options = options
  }

  /**
   * Signs in and returns the token, which is shown this once and stored as a hash. An unknown account
   * and a wrong password are told apart neither by the answer nor by the time it takes.
   */
  async login(
    email: string,
    password: string,
    address: string,
  ): Promise<{ token: string; user: SessionUser }> {
    const { sessions, users, clock } = this.#options
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
      throw new AppError('session.invalid_credentials')
    }
    this.#throttle.recordSuccess(account, address)
    const token = `ghs_${randomBytes(32).toString('base64url')}`
    const at = now.toISOString()
    await sessions.removeOlderThan(
      new Date(now.getTime() - knownAddressMs - this.#options.maxMs).toISOString(),
    )
    await sessions.insert({
      user_id: user.id,
      token_hash: hashToken(token),
      address,
      created_at: at,
      last_used_at: at,
    })
    return { token, user: await this.#describe(user) }
  }

  /** Who holds this token; undefined when it is unknown, ended or expired. */
  async authenticate(token: string): Promise<Caller | undefined> {
    const { sessions, users, clock, idleMs, maxMs } = this.#options
    const session = await sessions.findOpen(hashToken(token))
    if (!session) return undefined
    const now = clock.now()
    const age = now.getTime() - Date.parse(session.created_at)
    const idle = now.getTime() - Date.parse(session.last_used_at)
    if (age > maxMs || idle > idleMs) return undefined
    const row = await users.find(session.user_id)
    if (!row) return undefined
    if (idle > touchEveryMs) await sessions.touch(session.id, now.toISOString())
    const user = await this.#describe(row)
    return { user, sessionId: session.id, isSuperAdmin: isSuperAdmin(user) }
  }

  async logout(sessionId: number): Promise<void> {
    await this.#options.sessions.end(sessionId, this.#options.clock.now().toISOString())
  }

  async #describe(row: Row<'user'>): Promise<SessionUser> {
    const { users } = this.#options
    const roles = await users.rolesOf(row.id)
    const user = {
      id: row.id,
      name: row.name,
      email: row.email,
      username: row.username,
      roles,
      role: roles.map((role) => role.name).join(', '),
      permissions: [] as string[],
    }
    return {
      ...user,
      permissions: isSuperAdmin(user) ? [...permissions] : await users.permissionsOf(row.id),
    }
  }
}

const isSuperAdmin = (user: Pick<SessionUser, 'roles'>) =>
  user.roles.some((role) => role.name === superAdminRole)

const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')
