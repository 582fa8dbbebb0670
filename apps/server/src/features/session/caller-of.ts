import { AppError } from '../../kernel/app-error.ts'
import { isSuperAdmin, refuseWithout, type Caller } from '../../kernel/caller.ts'
import type { Stores } from '../../stores.ts'
import { describeUser, holdUser } from './session-check.ts'

/**
 * A user for work that goes on without a call, with the roles of today. Undefined where the user was
 * deleted.
 */
export async function callerOf(
  { users }: Pick<Stores, 'users'>,
  userId: number,
): Promise<Caller | undefined> {
  const row = await users.find(userId)
  if (!row) return undefined
  const user = await describeUser(users, row, await users.rolesOf(row.id))
  return { user, isSuperAdmin: isSuperAdmin(user) }
}

/**
 * Checks a user again on whose behalf work goes on without a call. Throws a 401 where the user was deleted
 * and a 403 without the permission that the work needs. Brings `caller` up to date. Inside a transaction,
 * what was found stays true until its end.
 */
export async function recheckUnattended(
  { users }: Pick<Stores, 'users'>,
  caller: Caller,
): Promise<void> {
  const user = await holdUser(users, caller.user.id, caller.isSuperAdmin)
  if (!user) throw new AppError('session.unauthenticated')
  Object.assign(caller, { user, isSuperAdmin: isSuperAdmin(user) } satisfies Partial<Caller>)
  refuseWithout(caller, caller.access ?? 'session')
}
