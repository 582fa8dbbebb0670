import { z } from 'zod'
import { methods } from '../endpoints/endpoint-methods.ts'
import { shownParameters } from '../endpoints/endpoint-parameters.ts'
import { idMax, strictFields } from '../kernel/fields.ts'
import { idParams } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { roleOption } from '../people/users.ts'

/** Endpoints of one document. */
export const consumerDocsMax = 2000

const openApiFormats = ['yaml', 'json'] as const
export type OpenApiFormat = (typeof openApiFormats)[number]

const servedEndpoint = z.object({
  method_type: z.enum(methods),
  /** Behind the address of its API. */
  path: z.string(),
  /** The whole address at the gateway. */
  url: z.string(),
  summery: z.string(),
  description: z.string(),
  parameters: shownParameters,
  /** The gateway asks for a personal token. */
  requires_token: z.boolean(),
  /** Media type of the answer, where the gateway makes it itself; null: as the API answers. */
  answers: z.string().nullable(),
})
export type ServedEndpoint = z.output<typeof servedEndpoint>

const servedApi = z.object({
  name: z.string(),
  context: z.string(),
  /** Only clients in the internal networks may call it. */
  is_internal: z.boolean(),
  /** Null: the gateway counts no requests. */
  rate_limit: z.object({ requests: z.number().int(), window_seconds: z.number().int() }).nullable(),
  /** A header that takes the token, beside Authorization; null: none. */
  key_header: z.string().nullable(),
  /** A JWT of an issuer that gives the role, or any role, counts in place of the token. */
  takes_jwts: z.boolean(),
  /** Calls of endpoints that ask for a token are signed, and the token is not sent. */
  is_signed: z.boolean(),
  /** Every call shows a client certificate of an authority that the API names. */
  asks_certificate: z.boolean(),
  /** By path and method. */
  endpoints: z.array(servedEndpoint),
})
export type ServedApi = z.output<typeof servedApi>

/** What the gateway serves, or the part of it that a role may call: active, and readable. */
export const consumerDocs = z.object({
  title: z.string(),
  gateway_url: z.string(),
  /** By context. */
  apis: z.array(servedApi),
})
export type ConsumerDocs = z.output<typeof consumerDocs>

const optionalId = z.coerce.number().int().positive().max(idMax).optional()
const scope = z.object({
  /** Only what this role has access to. Absent: everything, which needs `endpoint.view` (else 422). */
  role_id: optionalId,
  api_id: optionalId,
})

const tag = 'Consumer docs'

/**
 * Of a role that the caller has; of any role with `api-permission.view`. Another role does not exist for
 * the caller (404). More than 2,000 endpoints are refused (422).
 */
export const showConsumerDocs = defineRoute({
  method: 'GET',
  path: '/api/consumer-docs',
  access: 'session',
  tag,
  summary: 'What the gateway serves: all of it, an API, or what a role may call',
  query: scope,
  response: consumerDocs,
})

/** The same as OpenAPI 3.1. Equal configurations give equal bytes. */
export const exportOpenApi = defineRoute({
  method: 'GET',
  path: '/api/consumer-docs/openapi',
  access: 'session',
  tag,
  summary: 'What the gateway serves, as an OpenAPI document',
  query: scope.extend({ format: z.enum(openApiFormats).default('yaml') }),
  isFile: true,
})

export const listConsumerRoles = defineRoute({
  method: 'GET',
  path: '/api/consumer-docs/roles',
  access: 'session',
  tag,
  summary: 'The roles whose docs the caller may see, and which of them are shared by a link',
  response: z.object({
    /** Whether the caller may see the docs of everything. */
    sees_all: z.boolean(),
    roles: z.array(
      roleOption.extend({
        endpoints_count: z.number().int(),
        /** The link that is in force; null: none, or the caller may not see access. */
        shared: z.object({ at: z.string(), by: z.string() }).nullable(),
      }),
    ),
  }),
})

export const shareConsumerDocs = defineRoute({
  method: 'POST',
  path: '/api/consumer-docs/roles/:id/link',
  access: 'api-permission.edit',
  tag,
  summary: 'Share the docs of a role by a new link, shown this once; an earlier link ends',
  status: 201,
  params: idParams,
  response: z.object({ link: z.string() }),
})

export const unshareConsumerDocs = defineRoute({
  method: 'DELETE',
  path: '/api/consumer-docs/roles/:id/link',
  access: 'api-permission.edit',
  tag,
  summary: 'End the link to the docs of a role',
  status: 204,
  params: idParams,
})

/** In the body: addresses are written into logs. */
const link = { link: z.string().max(100) }

export const showSharedDocs = defineRoute({
  method: 'POST',
  path: '/api/consumer-docs/shared',
  access: 'public',
  tag,
  summary: 'The docs of the role that a link shares',
  body: strictFields(link),
  response: consumerDocs,
})

export const exportSharedOpenApi = defineRoute({
  method: 'POST',
  path: '/api/consumer-docs/shared/openapi',
  access: 'public',
  tag,
  summary: 'The OpenAPI document of the role that a link shares',
  body: strictFields({ ...link, format: z.enum(openApiFormats) }),
  isFile: true,
})
