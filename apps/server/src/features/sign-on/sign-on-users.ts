import { randomBytes } from 'node:crypto'
import { gatewayClientId, normalFormOf, superAdminRole } from '@gatehouse/contract'
import { claimValues } from '@gatehouse/contract/role-claim'
import type { Row } from '../../db/tables.ts'
import { looksLike } from '../../kernel/text/look-alike.ts'
import { unknownPassword } from '../../kernel/passwords/password-hash.ts'
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
}

/**
 * The user that this person is here: the one who signed on as the same subject before, the one with their verified
 * e-mail address, or a new one. Runs in the transaction that opens the session. Throws `NoAccess`; where
 * it took the user's roles away, which has to stay, returns it.
 */
export async function userOf(stores: Stores, use: SignOnUse): Promise<Row<'user'> | NoAccess> {
  const { issuer } = use.provider
  const { sub } = use.claims
  await stores.roles.lockMembership()
  const identity = await stores.signOn.findIdentity(issuer, sub)
  if (identity) {
    const user = usable(await stores.users.hold(identity.user_id))
    return (identity.is_managed && (await withoutAccess(stores, user, use))) || user
  }
  const email = verifiedEmail(use.claims)
  const found = await stores.users.findByEmail(email)
  if (found) return link(stores, usable((await acceptInvitation(stores, found, use)) ?? found), use)
  const user = await create(stores, email, use)
  await stores.signOn.insertIdentity(identityOf(user, true, use))
  return user
}

/** An address may pass to another person at the provider: the user stays with the first subject that had it. */
async function link(
  stores: Stores,
  user: Row<'user'>,
  use: SignOnUse,
): Promise<Row<'user'> | NoAccess> {
  const known = await stores.signOn.identitiesOf(user.id)
  if (known.some(({ issuer }) => issuer === use.provider.issuer))
    throw new NoAccess('The user belongs to another subject of the provider.')
  // Made at a sign-on with another provider: this one decides the roles now.
  const isManaged = known.some(({ is_managed }) => is_managed)
  const noAccess = isManaged && (await withoutAccess(stores, user, use))
  if (noAccess) return noAccess
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

/** Signing on with the address that an invitation went to accepts it; undefined: none is open. */
async function acceptInvitation(
  stores: Stores,
  { id, password_hash: before }: Row<'user'>,
  { by, at }: SignOnUse,
): Promise<Row<'user'> | undefined> {
  if (before !== null) return undefined
  const user = await stores.users.hold(id)
  const until = user && (await stores.passwordLinks.invitedUntil([user])).get(id)
  if (!until || until <= at) return undefined
  const password_hash = unknownPassword()
  await stores.users.update(id, user.version, { password_hash, updated_at: at })
  await stores.passwordLinks.removeInvitation(id)
  const event = { action: 'user.invitation_accepted', thing: 'user', id, name: user.name } as const
  await stores.audit.record({ ...by, user }, event)
  return stores.users.hold(id)
}

const emailPattern = /^[^\s@"(),:;<>[\]\\]{1,64}@[^\s@"(),:;<>[\]\\]{1,189}$/

function verifiedEmail({ email, email_verified }: Claims): string {
  if (typeof email !== 'string' || !emailPattern.test(email))
    throw new NoAccess('The provider gave no e-mail address.')
  if (email_verified !== true) throw new NoAccess(`${email} is not verified by the provider.`)
  return email.normalize('NFC')
}

const noRole = () => new NoAccess('No role stands for what the provider says.')

function rolesFor({ provider, claims }: SignOnUse): { id: number; name: string }[] {
  const values = claimValues(claims, provider.role_claim)
  const given = provider.roles.filter(({ value }) => values.has(value))
  return [...new Map(given.map(({ role_id, role }) => [role_id, role]))].map(([id, name]) => ({
    id,
    name,
  }))
}

async function create(stores: Stores, email: string, use: SignOnUse): Promise<Row<'user'>> {
  const { provider, claims, by, at } = use
  if (!provider.creates_users) throw new NoAccess(`There is no user ${email}.`)
  const roles = rolesFor(use)
  if (roles.length === 0) throw noRole()
  const username = await freeUsername(stores, email)
  const user = await stores.users.insert({
    name: nameOf(claims, email),
    email,
    email_key: email.toLowerCase(),
    username,
    username_key: username.toLowerCase(),
    password_hash: unknownPassword(),
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
  const given =
    typeof name === 'string' ? normalFormOf(name, 'NFC').replace(unshown, '').trim() : ''
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

/**
 * A user who was made at a sign-on has the roles that the provider says today; a Super Admin keeps theirs.
 * Returns why they may not enter, where there is none.
 */
async function withoutAccess(
  stores: Stores,
  user: Row<'user'>,
  use: SignOnUse,
): Promise<NoAccess | undefined> {
  const before = await stores.users.holdRolesOf(user.id)
  if (before.some(({ name }) => name === superAdminRole)) return undefined
  const roles = rolesFor(use)
  const isSame =
    before.length === roles.length && before.every(({ id }) => roles.some((role) => role.id === id))
  if (!isSame) await changeRoles(stores, user, { before, roles }, use)
  return roles.length === 0 ? noRole() : undefined
}

type Roles = readonly { id: number; name: string }[]

async function changeRoles(
  { users, sessions, audit, revisions }: Stores,
  user: Row<'user'>,
  { before, roles }: { before: Roles; roles: Roles },
  { by, at }: SignOnUse,
): Promise<void> {
  const namesOf = (list: Roles) => list.map(({ name }) => name)
  await users.setRoles(
    user.id,
    roles.map(({ id }) => id),
  )
  await sessions.endAllOf(user.id, at)
  await audit.record(
    { ...by, user },
    {
      action: 'user.update',
      thing: 'user',
      id: user.id,
      name: user.name,
      before: { roles: namesOf(before) },
      after: { roles: namesOf(roles) },
    },
  )
  await revisions.bump()
}
