import { permissions, superAdminRole, type SessionUser } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import { AppError } from '../../kernel/app-error.ts'
import { refuseWithout, type Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Stores } from '../../stores.ts'

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

  isExpired({ created_at, last_used_at }: Row<'session'>): boolean {
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
    const session = await sessions.holdOpen(caller.sessionId)
    const row = session && !this.isExpired(session) && (await users.hold(session.user_id))
    if (!row) throw new AppError('session.unauthenticated')
    const user = await describeUser(users, row, await users.holdRolesOf(row.id))
    Object.assign(caller, { user, isSuperAdmin: isSuperAdmin(user) } satisfies Partial<Caller>)
    refuseWithout(caller, caller.access ?? 'session')
  }
}

export async function describeUser(
  users: Stores['users'],
  { id, name, email, username }: Row<'user'>,
  roles: SessionUser['roles'],
): Promise<SessionUser> {
  return {
    id,
    name,
    email,
    username,
    roles,
    role: roles.map((role) => role.name).join(', '),
    permissions: isSuperAdmin({ roles }) ? [...permissions] : await users.permissionsOf(id),
  }
}

export const isSuperAdmin = ({ roles }: Pick<SessionUser, 'roles'>) =>
  roles.some(({ name }) => name === superAdminRole)
