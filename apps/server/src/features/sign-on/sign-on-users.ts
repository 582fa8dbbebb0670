import { randomBytes } from 'node:crypto'
import { gatewayClientId, superAdminRole } from '@gatehouse/contract'
import { claimValues } from '@gatehouse/contract/role-claim'
import type { Row } from '../../db/tables.ts'
import { looksLike } from '../../kernel/look-alike.ts'
import type { Stores } from '../../stores.ts'
import type { Claims } from './provider-client.ts'
import type { Provider } from './sign-on-store.ts'

/** Why somebody whom the provider knows may not enter. It is kept in the audit trail. */
export class NoAccess extends Error {
  override readonly name = 'NoAccess'
}

export interface SignOnUse {
  provider: Provider
  claims: Claims
  by: { address: string; requestId: string }
  at: string
  /** Of a password that nobody knows. */
  passwordHash: string
}

/**
 * The user that this person is here: the one who signed on as the same subject before, the one with their verified
 * e-mail address, or a new one. Runs in the transaction that opens the session. Throws `NoAccess`.
 */
export async function userOf(stores: Stores, use: SignOnUse): Promise<Row<'user'>> {
  const { issuer } = use.provider
  const { sub } = use.claims
  await stores.roles.lockMembership()
  const identity = await stores.signOn.findIdentity(issuer, sub)
  if (identity?.is_managed) await bringRolesUpToDate(stores, identity.user_id, use)
  if (identity) return usable(await stores.users.hold(identity.user_id))
  const email = verifiedEmail(use.claims)
  const found = await stores.users.findByEmail(email)
  if (found) return link(stores, usable(found), use)
  const user = await create(stores, email, use)
  await stores.signOn.insertIdentity(identityOf(user, true, use))
  return user
}

/** An address may pass to another person at the provider: the user stays with the first subject that had it. */
async function link(stores: Stores, user: Row<'user'>, use: SignOnUse): Promise<Row<'user'>> {
  const known = await stores.signOn.identitiesOf(user.id)
  if (known.some(({ issuer }) => issuer === use.provider.issuer))
    throw new NoAccess('The user belongs to another subject of the provider.')
  // Made at a sign-on with another provider: this one decides the roles now.
  const isManaged = known.some(({ is_managed }) => is_managed)
  if (isManaged) await bringRolesUpToDate(stores, user.id, use)
  await stores.signOn.insertIdentity(identityOf(user, isManaged, use))
  await stores.audit.record(
    { ...use.by, user },
    { action: 'user.sign_on_linked', thing: 'user', id: user.id, name: user.name },
  )
  return user
}

const identityOf = (
  { id }: Row<'user'>,
  isManaged: boolean,
  { provider, claims, at }: SignOnUse,
) => ({
  issuer: provider.issuer,
  subject: claims.sub,
  user_id: id,
  is_managed: isManaged ? (1 as const) : (0 as const),
  created_at: at,
})

/** Who can't sign in with a password can't do so otherwise: they are for machines. */
function usable(user: Row<'user'> | undefined): Row<'user'> {
  if (!user?.password_hash || user.id === gatewayClientId)
    throw new NoAccess('The user can’t sign in.')
  return user
}

const emailPattern = /^[^\s@"(),:;<>[\]\\]{1,64}@[^\s@"(),:;<>[\]\\]{1,189}$/

function verifiedEmail({ email, email_verified }: Claims): string {
  if (typeof email !== 'string' || !emailPattern.test(email))
    throw new NoAccess('The provider gave no e-mail address.')
  if (email_verified !== true) throw new NoAccess(`${email} is not verified by the provider.`)
  return email.normalize('NFC')
}

function rolesFor({ provider, claims }: SignOnUse): { id: number; name: string }[] {
  const values = claimValues(claims, provider.role_claim)
  const given = provider.roles.filter(({ value }) => values.has(value))
  if (given.length === 0) throw new NoAccess('No role stands for what the provider says.')
  return [...new Map(given.map(({ role_id, role }) => [role_id, role]))].map(([id, name]) => ({
    id,
    name,
  }))
}

async function create(stores: Stores, email: string, use: SignOnUse): Promise<Row<'user'>> {
  const { provider, claims, by, at } = use
  if (!provider.creates_users) throw new NoAccess(`There is no user ${email}.`)
  const roles = rolesFor(use)
  const username = await freeUsername(stores, email)
  const user = await stores.users.insert({
    name: nameOf(claims, email),
    email,
    email_key: email.toLowerCase(),
    username,
    username_key: username.toLowerCase(),
    password_hash: use.passwordHash,
    created_at: at,
    updated_at: at,
  })
  await stores.users.setRoles(
    user.id,
    roles.map(({ id }) => id),
  )
  const after = { name: user.name, email, username, roles: roles.map(({ name }) => name) }
  await stores.audit.record(
    { ...by, user },
    { action: 'user.create', thing: 'user', id: user.id, name: user.name, after },
  )
  return user
}

const unshown = /[\p{Cc}\p{Cf}]/gu

function nameOf({ name }: Claims, email: string): string {
  const given = typeof name === 'string' ? name.normalize('NFC').replace(unshown, '').trim() : ''
  const shown = given.slice(0, 100)
  return shown === '' || looksLike(shown, superAdminRole) ? email : shown
}

async function freeUsername({ users }: Stores, email: string): Promise<string> {
  const base = email
    .split('@')[0]!
    .replaceAll(/[^\p{L}\p{N}._-]/gu, '-')
    .slice(0, 50)
  const isTaken = (await users.findByUsername(base)) !== undefined
  return isTaken ? `${base}-${randomBytes(4).toString('hex')}` : base
}

/** A user who was made at a sign-on has the roles that the provider says today; a Super Admin keeps theirs. */
async function bringRolesUpToDate(stores: Stores, userId: number, use: SignOnUse): Promise<void> {
  const { users, sessions, audit, revisions } = stores
  const user = usable(await users.hold(userId))
  const before = await users.holdRolesOf(userId)
  if (before.some(({ name }) => name === superAdminRole)) return
  const roles = rolesFor(use)
  const ids = roles.map(({ id }) => id)
  if (before.length === ids.length && before.every(({ id }) => ids.includes(id))) return
  await users.setRoles(userId, ids)
  await sessions.endAllOf(userId, use.at)
  const namesOf = (list: readonly { name: string }[]) => list.map(({ name }) => name)
  await audit.record(
    { ...use.by, user },
    {
      action: 'user.update',
      thing: 'user',
      id: userId,
      name: user.name,
      before: { roles: namesOf(before) },
      after: { roles: namesOf(roles) },
    },
  )
  await revisions.bump()
}
