import { z } from 'zod'
import { accessEndpoint } from './access.ts'
import { idMax } from '../kernel/fields.ts'
import { idParams, listQuery, pageOf } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { roleOption } from '../people/users.ts'

/** A role that may call endpoints of an API. */
const apiRole = roleOption.extend({
  /** How many endpoints of the API it may call. */
  endpoints_count: z.number().int(),
  users_count: z.number().int(),
  /** Personal tokens of its users that are valid now. */
  tokens_count: z.number().int(),
})
export type ApiRole = z.output<typeof apiRole>

/** A personal token that is valid now and may call endpoints of an API. */
const apiToken = z.object({
  id: z.number().int(),
  name: z.string(),
  user: z.object({ id: z.number().int(), name: z.string() }),
  /** The roles of its user that may call endpoints of the API. */
  roles: z.array(roleOption),
  endpoints_count: z.number().int(),
  expires_at: z.string(),
  last_used_at: z.string().nullable(),
})
export type ApiToken = z.output<typeof apiToken>

/** An endpoint of an API, with who may call it beside Super Admin. */
const callableEndpoint = accessEndpoint.extend({
  /** False: the gateway asks for no token here. */
  is_guarded: z.boolean(),
  /** The roles that hold it by name, ten at most; the count is of all. */
  roles: z.array(roleOption),
  roles_count: z.number().int(),
})
export type CallableEndpoint = z.output<typeof callableEndpoint>

const ofApi = { access: 'api-permission.view', tag: 'API access', params: idParams } as const

export const listApiRoles = defineRoute({
  method: 'GET',
  path: '/api/apis/:id/access/roles',
  ...ofApi,
  summary: 'The roles that may call endpoints of this API',
  query: listQuery(['name']),
  response: pageOf(apiRole),
})

export const listApiTokens = defineRoute({
  method: 'GET',
  path: '/api/apis/:id/access/tokens',
  ...ofApi,
  summary: 'The personal tokens that may call endpoints of this API, and through which roles',
  query: listQuery(['name', 'last_used_at']).extend({
    /** This one alone. */
    token_id: z.coerce.number().int().positive().max(idMax).optional(),
  }),
  response: pageOf(apiToken),
})

export const listApiCallable = defineRoute({
  method: 'GET',
  path: '/api/apis/:id/access/endpoints',
  ...ofApi,
  summary: 'The endpoints of this API, and the roles that may call each',
  query: listQuery(['id', 'path']).extend({
    /** Those that this role may call. */
    role_id: z.coerce.number().int().positive().max(idMax).optional(),
    /** Those that the user of this personal token may call. */
    token_id: z.coerce.number().int().positive().max(idMax).optional(),
  }),
  response: pageOf(callableEndpoint),
})
