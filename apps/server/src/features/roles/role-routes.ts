import {
  createRole,
  deleteRole,
  editRole,
  listRoles,
  newRoleForm,
  permissionGroups,
  permissions,
  updateRole,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../kernel/caller.ts'
import { mount } from '../../kernel/mount.ts'
import { toPage } from '../../kernel/to-page.ts'
import { shownAddresses } from './role-addresses.ts'
import type { RoleService } from './role-service.ts'

const groups = Object.entries(permissionGroups).map(([name, members]) => ({
  name,
  members: members as readonly string[],
}))

export function roleRoutes(app: FastifyInstance, roles: RoleService): void {
  const form = async (caller: Caller, rolePermissions: string[]) => ({
    allPermissions: (await roles.listPermissions()).map(({ id, name }) => ({
      id,
      name,
      group_name: groups.find(({ members }) => members.includes(name))?.name ?? 'other',
    })),
    groups: groups.map(({ name }) => ({ name })),
    rolePermissions,
    grantable: caller.isSuperAdmin ? [...permissions] : caller.user.permissions,
  })

  mount(app, listRoles, async ({ query }) =>
    toPage(await roles.list(query), query, ({ id, name, permissions_count, users_count }) => ({
      id,
      name,
      permissions_count,
      users_count,
    })),
  )
  mount(app, newRoleForm, (_, { caller }) => form(caller, []))
  mount(app, createRole, async ({ body }, context) => toOption(await roles.create(body, context)))
  mount(app, editRole, async ({ params }, { caller }) => {
    const role = await roles.get(params.id, caller)
    const { id, name, users_count, version } = role
    const needs_second_factor = role.needs_second_factor === 1
    return {
      role: {
        id,
        name,
        users_count,
        needs_second_factor,
        allowed_addresses: shownAddresses(role),
        version,
      },
      locked: role.locked,
      may_require_second_factor: role.mayRequireSecondFactor,
      ...(await form(caller, role.permissions)),
    }
  })
  mount(app, updateRole, async ({ params, body }, context) =>
    toOption(await roles.update(params.id, body, context)),
  )
  mount(app, deleteRole, ({ params }, context) => roles.remove(params.id, context))
}

const toOption = ({ id, name }: { id: number; name: string }) => ({ id, name })
