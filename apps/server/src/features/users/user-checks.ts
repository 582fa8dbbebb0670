import { gatewayClientId, superAdminRole, type UserChange } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import { refuseBeyondReach, type Actor, type Reach } from '../../kernel/caller.ts'
import { hasTwin, lookAlikeMessage, looksLike, twinMessage } from '../../kernel/text/look-alike.ts'
import type { Stores } from '../../stores.ts'
import type { UserWithRoles } from './user-store.ts'

export async function existing({ users }: Stores, id: number): Promise<UserWithRoles> {
  const user = await users.findWithRoles(id)
  if (!user) throw new AppError('user.not_found')
  return user
}

export const emailTaken = () => fieldError({ email: ['This email is already in use.'] })
export const usernameTaken = () => fieldError({ username: ['This username is already in use.'] })

export async function refuseTaken(
  { users }: Stores,
  input: { name: string; email: string; username: string },
  ownId?: number,
) {
  const byEmail = await users.findByEmail(input.email)
  const byUsername = input.username === '' ? undefined : await users.findByUsername(input.username)
  const fields = {
    ...(byEmail && byEmail.id !== ownId ? emailTaken().details.fields : {}),
    ...(byUsername && byUsername.id !== ownId ? usernameTaken().details.fields : {}),
    ...(!byUsername &&
    input.username !== '' &&
    hasTwin(input.username, await users.listUsernames(), ownId)
      ? { username: [twinMessage] }
      : {}),
    ...(looksLike(input.name, superAdminRole) ? { name: [lookAlikeMessage] } : {}),
  }
  if (Object.keys(fields).length > 0) throw fieldError(fields)
}

// wire: roles come as ids or, from other clients, as names.
export async function chosenRoles({ roles }: Stores, choices: readonly string[]) {
  const all = await roles.listWithPermissions()
  return choices.map((choice) => {
    const role = all.find(({ id, name }) => String(id) === choice || name === choice)
    if (!role) throw fieldError({ roles: ['Choose roles from the list.'] })
    return role
  })
}

export const idsOf = (roles: readonly { id: number }[]) => roles.map(({ id }) => id)

export const sameIds = (a: readonly { id: number }[], b: readonly { id: number }[]) =>
  a.length === b.length && a.every(({ id }) => b.some((other) => other.id === id))

export async function refuseUnreachableUser(
  { roles }: Stores,
  reach: Reach,
  user: UserWithRoles,
): Promise<void> {
  refuseBeyondReach(reach, await roles.findAll(user.roles.map(({ id }) => id)))
}

/** A user whose sign-in the caller may reset: within reach, and not the caller. Throws a 403, 404 or 409. */
export async function holdOther(
  stores: Stores,
  id: number,
  { caller }: Actor,
): Promise<Row<'user'>> {
  const user = await stores.users.hold(id)
  if (!user) throw new AppError('user.not_found')
  // A person who finds a session open must not get rid of what its user signs in with.
  if (id === caller.user.id)
    throw new AppError('user.self', {
      message: 'Change how you sign in yourself on the page of your account.',
      isAudited: true,
    })
  const reach = await stores.access.reachOf(caller)
  await refuseUnreachableUser(stores, reach, await existing(stores, id))
  return user
}

/**
 * The gateway's client gets neither a password nor permissions. Users beyond the caller's reach stay as
 * they are: a caller who could set the password of a more powerful account would have its power.
 */
export async function refuseChange(
  stores: Stores,
  before: UserWithRoles,
  { roles, hasPassword }: Change,
  { caller }: Actor,
): Promise<void> {
  const isPowerful = ({ name, permissions }: Change['roles'][number]) =>
    name === superAdminRole || permissions.length > 0
  if (before.id === gatewayClientId && (hasPassword || roles.some(isPowerful)))
    throw new AppError('user.gateway_client', { isAudited: true })
  const reach = await stores.access.reachOf(caller)
  await refuseUnreachableUser(stores, reach, before)
  refuseBeyondReach(reach, roles)
}

interface Change {
  roles: Awaited<ReturnType<typeof chosenRoles>>
  hasPassword: boolean
}

/** A change of the caller's own sign-in: a person who finds a session open must not take over the account. */
export const isOwnSignInChange = (before: UserWithRoles, input: UserChange, { caller }: Actor) =>
  before.id === caller.user.id && (input.password !== '' || input.email !== before.email)

/** Called after the change: throws, which undoes the change, when no Super Admin is left. */
export async function refuseLosingSuperAdmin(
  { users }: Stores,
  before: UserWithRoles,
): Promise<void> {
  const wasOne = before.roles.some(({ name }) => name === superAdminRole)
  if (wasOne && (await users.countMembers(superAdminRole)) === 0)
    throw new AppError('user.last_super_admin')
}
