import { permissions, type SessionUser } from '@gatehouse/contract'
import { allOf } from '../../db/all-of.ts'
import type { Row } from '../../db/tables.ts'
import { AppError } from '../../kernel/app-error.ts'
import { isSuperAdmin, refuseWithout, sessionOf, type Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Stores } from '../../stores.ts'

type SessionTimes = Pick<Row<'session'>, 'created_at' | 'last_used_at'>
type UserNames = Pick<Row<'user'>, 'id' | 'name' | 'email' | 'username'>

interface SessionCheckOptions {
  clock: Clock
  /** How long a session lives unused, and at most. */
  idleMs: number
  maxMs: number
}

/** Whether a session still lets its user in, and what they may do. */
export class SessionCheck {
  readonly #options: SessionCheckOptions

  constructor(options: SessionCheckOptions) {
    this.#options = options
  }

  /** How long a session lives at most. */
  get maxMs(): number {
    return this.#options.maxMs
  }

  isExpired({ created_at, last_used_at }: SessionTimes): boolean {
    const { clock, idleMs, maxMs } = this.#options
    const now = clock.now().getTime()
    return now - Date.parse(created_at) > maxMs || now - Date.parse(last_used_at) > idleMs
  }

  /**
   * Judges a caller again who was let in before. Throws a 401 when the session has ended or its user is
   * gone, and a 403 when they no longer hold what the call needs. Brings `caller` up to date. Inside a
   * transaction, what was found stays true until its end.
   */
  async again(
    { sessions, users }: Pick<Stores, 'sessions' | 'users'>,
    caller: Caller,
  ): Promise<void> {
    const { id } = caller.user
    const [session, user] = await allOf([
      sessions.holdOpen(sessionOf(caller)),
      holdUser(users, id, caller.isSuperAdmin),
    ])
    if (!user || session?.user_id !== id || this.isExpired(session))
      throw new AppError('session.unauthenticated')
    Object.assign(caller, { user, isSuperAdmin: isSuperAdmin(user) } satisfies Partial<Caller>)
    refuseWithout(caller, caller.access ?? 'session')
  }
}

/**
 * A user with their roles and permissions; inside a transaction these stay as they are until its
 * end. `isSuperAdmin` is what is known from before: it saves a statement.
 */
export async function holdUser(
  users: Stores['users'],
  id: number,
  isSuperAdmin: boolean,
): Promise<SessionUser | undefined> {
  const [row, roles, held] = await allOf([
    users.hold(id),
    users.holdRolesOf(id),
    isSuperAdmin ? undefined : users.permissionsOf(id),
  ])
  return row && describeUser(users, row, roles, held)
}

export async function describeUser(
  users: Stores['users'],
  { id, name, email, username }: UserNames,
  roles: SessionUser['roles'],
  held?: SessionUser['permissions'],
): Promise<SessionUser> {
  return {
    id,
    name,
    email,
    username,
    roles,
    role: roles.map((role) => role.name).join(', '),
    permissions: isSuperAdmin({ roles })
      ? [...permissions]
      : (held ?? (await users.permissionsOf(id))),
  }
}
