import { isSuperAdmin, type Caller } from '../../kernel/caller.ts'
import type { Stores } from '../../stores.ts'
import { describeUser } from './session-check.ts'

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
