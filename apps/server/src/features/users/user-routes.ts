import {
  createUser,
  deleteUser,
  editUser,
  listUsers,
  updateUser,
  userForm,
  type UserRecord,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../kernel/caller.ts'
import { mount } from '../../kernel/mount.ts'
import { toPage } from '../../kernel/to-page.ts'
import type { ListedUser, UserService } from './user-service.ts'
import type { UserWithRoles } from './user-store.ts'

export function userRoutes(app: FastifyInstance, users: UserService): void {
  const roleOptions = async (caller: Caller) =>
    (await users.listGrantableRoles(caller)).map(({ id, name }) => ({ id, name }))

  mount(app, listUsers, async ({ query }) => toPage(await users.list(query), query, toListedUser))
  mount(app, userForm, async (_, { caller }) => ({
    roles: await roleOptions(caller),
    sends_invitations: users.sendsInvitations,
  }))
  mount(app, createUser, async ({ body }, context) => {
    const { user, invitation } = await users.create(body, context)
    const { link, mailProblem } = invitation
    return { ...toUserRecord(user), mail_problem: mailProblem, invitation_link: link }
  })
  mount(app, editUser, async ({ params }, { caller }) => {
    const found = await users.get(params.id)
    const user = toListedUser(found)
    const grantable = await roleOptions(caller)
    // Roles that the user has stay on the form, even where the caller could not give them.
    const others = user.roles.filter((role) => !grantable.some(({ id }) => id === role.id))
    return {
      user,
      roles: [...grantable, ...others],
      second_factor_since: found.secondFactorSince,
      passkeys_count: found.passkeysCount,
      admin_tokens_count: found.adminTokensCount,
      sends_invitations: users.sendsInvitations,
    }
  })
  mount(app, updateUser, async ({ params, body }, context) =>
    toUserRecord(await users.update(params.id, body, context)),
  )
  mount(app, deleteUser, ({ params }, context) => users.remove(params.id, context))
}

const toListedUser = (user: ListedUser): UserRecord => ({
  ...toUserRecord(user),
  invited_until: user.invitedUntil,
})

function toUserRecord(user: UserWithRoles): UserRecord {
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    username: user.username,
    roles: user.roles,
    role: user.roles.map((role) => role.name).join(', '),
    can_sign_in: user.password_hash !== null,
    version: user.version,
  }
}
