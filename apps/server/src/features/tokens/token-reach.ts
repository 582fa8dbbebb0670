import { gatewayClientId } from '@gatehouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import { can, refuseBeyondReach, type Caller } from '../../kernel/caller.ts'
import type { Stores } from '../../stores.ts'

/** Another user's token is reported as if it did not exist, and the attempt is kept. */
export async function visibleToken({ tokens }: Pick<Stores, 'tokens'>, id: number, caller: Caller) {
  const record = await tokens.find(id)
  const owners = visibleOwners(caller)
  const isVisible =
    !owners || owners.includes(record?.user_id ?? 0) || owners.includes(record?.created_by_id ?? 0)
  if (!record || !isVisible)
    throw new AppError('token.not_found', { isAudited: record !== undefined })
  return record
}

/** A token for programs holds a part of what its user holds, and that user's personal tokens hold all of it. */
const isOwnOfProgram = ({ adminToken, user }: Caller, userId: number) =>
  adminToken !== undefined && userId === user.id

/** Whether the caller may make tokens for this user, and use them, as far as the user's reach allows it. */
export const mayHoldFor = (caller: Caller, userId: number) =>
  !isOwnOfProgram(caller, userId) &&
  (userId === caller.user.id || userId === gatewayClientId || can(caller, 'token.create_any'))

export function refuseForUser(caller: Caller, userId: number): void {
  if (mayHoldFor(caller, userId)) return
  if (isOwnOfProgram(caller, userId))
    throw new AppError('permission.denied', {
      message: 'A token for programs makes, limits and tries no personal tokens of its own user.',
    })
  throw new AppError('permission.denied', {
    message: 'You may generate tokens for yourself and the gateway client only.',
  })
}

export const visibleOwners = (caller: Caller) =>
  can(caller, 'token.create_any') ? undefined : [caller.user.id, gatewayClientId]

/**
 * A token has its owner's access: no user makes one for an account beyond their own reach. The gateway
 * client's tokens are made to call endpoints: their maker needs no such reach. Workflows send documents,
 * so they need it even there.
 */
export async function refusePowerful(
  { access, users, roles }: Pick<Stores, 'access' | 'users' | 'roles'>,
  userId: number,
  caller: Caller,
): Promise<void> {
  if (userId === caller.user.id) return
  const reach = await access.reachOf(caller)
  const isClient = userId === gatewayClientId
  const asked = isClient ? { ...reach, roleIdsBeyond: new Set<number>() } : reach
  const held = await users.rolesOf(userId)
  refuseBeyondReach(asked, await roles.findAll(held.map(({ id }) => id)))
}
