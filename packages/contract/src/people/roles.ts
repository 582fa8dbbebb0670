import { z } from 'zod'
import { addressesIfGiven } from '../apis/policy/traffic-policy-input.ts'
import { requiredText, version } from '../kernel/fields.ts'
import { idParams, listQuery, pageOf } from '../kernel/paging.ts'
import { permissions } from '../kernel/permissions.ts'
import { defineRoute } from '../kernel/route.ts'
import { roleOption } from './users.ts'

const roleListRow = roleOption.extend({
  permissions_count: z.number().int(),
  users_count: z.number().int(),
})
export type RoleListRow = z.output<typeof roleListRow>

const roleFormFields = {
  allPermissions: z.array(
    z.object({ id: z.number().int(), name: z.string(), group_name: z.string() }),
  ),
  groups: z.array(z.object({ name: z.string() })),
  rolePermissions: z.array(z.string()),
  /** What the caller holds: no user can grant more. */
  grantable: z.array(z.string()),
}
const roleForm = z.object(roleFormFields)
export type RoleForm = z.output<typeof roleForm>

const roleEditForm = z.object({
  ...roleFormFields,
  role: roleOption.extend({
    users_count: z.number().int(),
    needs_second_factor: z.boolean(),
    allowed_addresses: z.array(z.string()),
    version: z.number().int(),
  }),
  /** Why the caller can't change this role, or null. */
  locked: z.string().nullable(),
  /** Also of a locked role: a Super Admin decides it for Super Admin. */
  may_require_second_factor: z.boolean(),
})
export type RoleEditForm = z.output<typeof roleEditForm>

export const roleDefinition = z.object({
  name: requiredText(100, 'name'),
  permissions: z
    .union([z.array(z.string().max(100)).max(1000), z.null()], {
      error: 'The permissions must be a list.',
    })
    .optional()
    .transform((value) => [...new Set(value ?? [])])
    .superRefine((names, context) => {
      const unknown = names.filter((name) => !(permissions as readonly string[]).includes(name))
      if (unknown.length === 0) return
      context.addIssue({
        code: 'custom',
        message: `There is no permission ${unknown.slice(0, 5).join(', ')}.`,
      })
    }),
  /** Everybody with the role signs in with a second factor. Absent keeps what is stored. */
  needs_second_factor: z
    .boolean({ error: 'Say true or false.' })
    .nullish()
    .transform((value) => value ?? undefined),
  /** From which addresses it counts at the gateway; none: from everywhere. Absent keeps what is stored. */
  allowed_addresses: addressesIfGiven('allowed addresses'),
  version,
})
export type RoleDefinition = z.output<typeof roleDefinition>

export const listRoles = defineRoute({
  method: 'GET',
  path: '/api/role',
  access: 'role.view',
  tag: 'Roles',
  summary: 'List roles',
  query: listQuery(['id', 'name']),
  response: pageOf(roleListRow),
})

export const newRoleForm = defineRoute({
  method: 'GET',
  path: '/api/role/create',
  access: 'role.create',
  tag: 'Roles',
  summary: 'What the create form needs: permissions and their groups',
  response: roleForm,
})

export const createRole = defineRoute({
  method: 'POST',
  path: '/api/role',
  access: 'role.create',
  tag: 'Roles',
  summary: 'Create a role',
  status: 201,
  body: roleDefinition,
  response: roleOption,
})

export const editRole = defineRoute({
  method: 'GET',
  path: '/api/role/:id/edit',
  access: 'role.view',
  tag: 'Roles',
  summary: 'One role with its permissions, for the form',
  params: idParams,
  response: roleEditForm,
})

export const updateRole = defineRoute({
  method: 'PUT',
  path: '/api/role/:id',
  access: 'role.edit',
  tag: 'Roles',
  summary: 'Change a role; bites on the next call of everybody who has it',
  params: idParams,
  body: roleDefinition,
  response: roleOption,
})

export const deleteRole = defineRoute({
  method: 'DELETE',
  path: '/api/role/:id',
  access: 'role.delete',
  tag: 'Roles',
  summary: 'Delete a role that nobody has',
  status: 204,
  params: idParams,
})
