import { z } from 'zod'
import { bulkAfter, bulkAnswer, bulkIds, eitherOf, endpointFilter } from '../kernel/bulk.ts'
import { idMax, isId, version } from '../kernel/fields.ts'
import { methods } from '../endpoints/endpoint-methods.ts'
import { idParams, listQuery, pageOf, wholeNumber } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { roleOption } from '../people/users.ts'
import { workflowKinds, workflowStatuses } from '../workflows/workflow-fields.ts'

/** One row for each user and role that the user has; `id` is the role's (spec: api-access). */
const accessRow = z.object({
  id: z.number().int(),
  user_id: z.number().int(),
  name: z.string(),
  email: z.string(),
  role: z.string(),
  endpoints_count: z.number().int(),
  workflows_count: z.number().int(),
})
export type AccessRow = z.output<typeof accessRow>

export const accessEndpoint = z.object({
  id: z.number().int(),
  description: z.string(),
  summery: z.string(),
  method_type: z.enum(methods),
  path: z.string(),
  api: z.string(),
  api_id: z.number().int(),
})
export type AccessEndpoint = z.output<typeof accessEndpoint>

/** A workflow as access lists it. */
const accessWorkflow = z.object({
  id: z.number().int(),
  slug: z.string(),
  name: z.string(),
  kind: z.enum(workflowKinds),
  status: z.enum(workflowStatuses),
})
export type AccessWorkflow = z.output<typeof accessWorkflow>

const idList = (what: string) =>
  z
    .union([z.array(z.union([z.number(), z.string()])).max(10_000), z.null()], {
      error: `The ${what} must be a list.`,
    })
    .optional()

const endpointIds = idList('endpoints')
  .transform((value) => [...new Set((value ?? []).map(Number))])
  .refine((ids) => ids.every(isId), {
    error: 'Choose endpoints from the list.',
  })

/** Absent or null: the role keeps its workflows. */
const workflowIds = idList('workflows')
  .transform((value) => (value ? [...new Set(value.map(Number))] : undefined))
  .refine((ids) => ids === undefined || ids.every(isId), {
    error: 'Choose workflows from the list.',
  })

const someIds = (what: string) =>
  z
    .array(z.number().int().positive().max(idMax), { error: `The ${what} must be a list of ids.` })
    .max(10_000)
    .default([])

/** What differs from the access that the role has. An endpoint that is named counts before its API. */
const accessDifference = z.object({
  add: someIds('added endpoints'),
  remove: someIds('removed endpoints'),
  /** Every endpoint that these APIs have at the moment of the save. */
  add_apis: someIds('added APIs'),
  remove_apis: someIds('removed APIs'),
})
export type AccessDifference = z.output<typeof accessDifference>

/** What an edit opens and closes, and for how many users: shown before it is saved. */
const accessChange = z.object({
  /** The first 100. */
  opened: z.array(accessEndpoint),
  /** The first 100. */
  closed: z.array(accessEndpoint),
  opened_count: z.number().int(),
  closed_count: z.number().int(),
  opened_workflows: z.array(accessWorkflow),
  closed_workflows: z.array(accessWorkflow),
  users_count: z.number().int(),
})
export type AccessChange = z.output<typeof accessChange>

const accessBody = z.object({
  endpoints: endpointIds,
  /** Given, it counts instead of the list of endpoints. */
  difference: accessDifference.optional(),
  workflows: workflowIds,
})

export const listAccess = defineRoute({
  method: 'GET',
  path: '/api/api-permission',
  access: 'api-permission.view',
  tag: 'API access',
  summary: 'Users and the roles through which they have API access',
  query: listQuery(['id', 'name', 'email', 'role']),
  response: pageOf(accessRow),
})

const pageSize = { error: 'The limit must be a whole number from 1 to 1000.' }

/** Without a limit every endpoint is in the answer, which takes megabytes where there are many. */
const endpointPage = {
  page: wholeNumber('page', 1_000_000, 1),
  limit: z.coerce.number(pageSize).int(pageSize).min(1, pageSize).max(1_000, pageSize).optional(),
}
export type EndpointPage = { page: number; limit?: number | undefined }

export const editAccess = defineRoute({
  method: 'GET',
  path: '/api/api-permission/:id/edit',
  access: 'api-permission.view',
  tag: 'API access',
  summary: 'The endpoints and workflows that there are, and those that this role may call',
  params: idParams,
  query: z.object({
    /** `selected`: none of the endpoints that there are; `few`: and of the selected the first 30 alone. */
    endpoints: z.enum(['all', 'selected', 'few']).default('all'),
    ...endpointPage,
  }),
  response: z.object({
    role: roleOption,
    endpoints: z.array(accessEndpoint),
    selected: z.array(accessEndpoint),
    /** How many endpoints the role may call. */
    selected_count: z.number().int(),
    workflows: z.array(accessWorkflow),
    selected_workflows: z.array(accessWorkflow),
    /** Of the access, apart from the version of the role. */
    version: z.number().int(),
    /** Why the caller can't change this role's access, or null. */
    locked: z.string().nullable(),
  }),
})

/** An API, how many endpoints it has, and how many of them a role may call. */
const accessApi = z.object({
  id: z.number().int(),
  name: z.string(),
  endpoints_count: z.number().int(),
  held_count: z.number().int(),
})

export const accessChoices = defineRoute({
  method: 'GET',
  path: '/api/api-permission/:id/endpoints',
  access: 'api-permission.view',
  tag: 'API access',
  summary: 'Endpoints to choose from, with their APIs, and whether this role may call them',
  params: idParams,
  query: listQuery(['id']).extend({
    /** Endpoints of this API alone. */
    api_id: z.coerce.number().int().positive().max(idMax).optional(),
  }),
  response: z.object({
    endpoints: z.array(accessEndpoint.extend({ is_held: z.boolean() })),
    /** How many endpoints the search finds. */
    total: z.number().int(),
    /** Those of the endpoints above, and the first 20 whose name the search finds. */
    apis: z.array(accessApi),
  }),
})

export const accessApis = defineRoute({
  method: 'GET',
  path: '/api/api-permission/:id/apis',
  access: 'api-permission.view',
  tag: 'API access',
  summary: 'The APIs that have endpoints, by name, and how many of each this role may call',
  params: idParams,
  query: z.object({ search: z.string().trim().max(200).default('') }),
  response: z.object({
    /** With a search: those alone in which it finds an endpoint. */
    apis: z.array(
      accessApi.extend({
        /** How many endpoints of the API the search finds; without a search, all. */
        found_count: z.number().int(),
      }),
    ),
    /** How many endpoints there are, found or not. */
    endpoints_count: z.number().int(),
  }),
})

export const previewAccess = defineRoute({
  method: 'POST',
  path: '/api/api-permission/:id/preview',
  access: 'api-permission.view',
  tag: 'API access',
  summary: 'What a change of access would open and close; changes nothing',
  params: idParams,
  body: accessBody,
  response: accessChange,
})

export const updateAccess = defineRoute({
  method: 'PUT',
  path: '/api/api-permission/:id/update',
  access: 'api-permission.edit',
  tag: 'API access',
  summary: 'Set the endpoints and workflows that this role may call',
  params: idParams,
  body: accessBody.extend({ version }),
  response: accessChange,
})

export const grantAccess = defineRoute({
  method: 'POST',
  path: '/api/api-permission/bulk',
  access: 'api-permission.edit',
  tag: 'API access',
  summary: 'Give a role access to several endpoints, beside those that it has',
  body: z
    .object({
      role_id: z.number().int().positive().max(idMax),
      endpoints: bulkIds.optional(),
      filter: endpointFilter.optional(),
      after: bulkAfter,
    })
    .refine(...eitherOf('endpoints')),
  response: bulkAnswer,
})

export const removeAccess = defineRoute({
  method: 'DELETE',
  path: '/api/api-permission/:role/:user',
  access: 'api-permission.edit',
  tag: 'API access',
  summary: 'Take a role from a user',
  status: 204,
  params: z.object({
    role: z.coerce.number().int().positive().max(idMax),
    user: z.coerce.number().int().positive().max(idMax),
  }),
})

/** Whether a user may call an endpoint, and why. */
export const verdict = z.object({
  allowed: z.boolean(),
  /** In words: "Role Operator holds it", "Super Admin", "No role of theirs holds it", "The token is revoked". */
  reason: z.string(),
  /** Roles that hold the endpoint. */
  grants: z.array(roleOption),
})

const callerVerdict = verdict.extend({
  user: z.object({ id: z.number().int(), name: z.string(), email: z.string() }),
})
export type CallerVerdict = z.output<typeof callerVerdict>
export const endpointVerdict = verdict.extend({ endpoint: accessEndpoint })
export type EndpointVerdict = z.output<typeof endpointVerdict>

export const explainEndpoint = defineRoute({
  method: 'GET',
  path: '/api/access/endpoint/:id',
  access: 'api-permission.view',
  tag: 'API access',
  summary: 'Who can call this endpoint, and why',
  params: idParams,
  response: z.object({
    /** False: authentication is off on the endpoint and its API, so the gateway asks for no token. */
    is_guarded: z.boolean(),
    callers: z.array(callerVerdict),
  }),
})

/** A workflow is run in two ways: `with_token` by a machine, and by a person who is signed in. */
const workflowWays = { with_token: z.boolean(), signed_in: z.boolean() }

const workflowCallerVerdict = callerVerdict.extend(workflowWays)
export type WorkflowCallerVerdict = z.output<typeof workflowCallerVerdict>
export const workflowVerdict = verdict.extend({ workflow: accessWorkflow, ...workflowWays })
export type WorkflowVerdict = z.output<typeof workflowVerdict>

export const explainWorkflow = defineRoute({
  method: 'GET',
  path: '/api/access/workflow/:id',
  access: 'api-permission.view',
  tag: 'API access',
  summary: 'Who can run this workflow, and why',
  params: idParams,
  response: z.object({ workflow: accessWorkflow, callers: z.array(workflowCallerVerdict) }),
})

export const explainSubjects = ['user', 'role', 'token'] as const

export const explainSubject = defineRoute({
  method: 'GET',
  path: '/api/access/:subject/:id/endpoints',
  access: 'api-permission.view',
  tag: 'API access',
  summary: 'What a user, role or token can call, and why',
  params: idParams.extend({ subject: z.enum(explainSubjects) }),
  query: z.object(endpointPage),
  response: z.object({
    name: z.string(),
    endpoints: z.array(endpointVerdict),
    /** How many endpoints there are. */
    endpoints_count: z.number().int(),
    workflows: z.array(workflowVerdict),
  }),
})

export const explainRefusal = defineRoute({
  method: 'GET',
  path: '/api/access/refusal',
  access: 'session',
  tag: 'API access',
  summary: 'Who may give what was refused, and to which roles',
  query: z.object({
    /** `access` to an endpoint, or a `permission` of this product. */
    missing: z.enum(['access', 'permission']),
    /** The personal token that was shown with the call; absent: the caller was refused. */
    token: z.coerce.number().int().positive().max(idMax).optional(),
  }),
  response: z.object({
    /** Of the user who was refused. Only the caller's own without `api-permission.view`. */
    roles: z.array(roleOption),
    /** Names of users who can sign in and may give it; five at most. */
    granters: z.array(z.string()),
    has_more: z.boolean(),
  }),
})
