import { z } from 'zod'
import { accesses, statuses } from './api-fields.ts'
import { contextPattern, isReservedContext } from './context-path.ts'
import { methods } from '../endpoints/endpoint-methods.ts'
import { requiredText } from '../kernel/fields.ts'
import { idParams, listQuery, pageOf } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'

/** The prefix under which an API is exposed on the gateway: `/{context}{endpoint.path}`. */
const contextRecord = z.object({
  id: z.number().int(),
  name: z.string(),
  context: z.string(),
  /** It was given before its first segment was reserved, and has to be changed. */
  is_reserved: z.boolean(),
  gateway_status: z.enum(statuses),
  api_access: z.enum(accesses),
  authentication: z.boolean(),
  endpoints_count: z.number().int(),
  /** The first 100; the count is of all. */
  endpoints: z.array(
    z.object({
      id: z.number().int(),
      summery: z.string(),
      method_type: z.enum(methods),
      status: z.enum(statuses),
      path: z.string(),
      authentication: z.literal([0, 1]),
      url: z.string(),
    }),
  ),
})
export type ContextRecord = z.output<typeof contextRecord>

export const listContexts = defineRoute({
  method: 'GET',
  path: '/api/context',
  access: 'context.view',
  tag: 'API contexts',
  summary: 'List APIs with their path prefix and full gateway URLs',
  query: listQuery(['id', 'name', 'context', 'gateway_status']),
  response: pageOf(contextRecord),
})

export const updateContext = defineRoute({
  method: 'PUT',
  path: '/api/context/:id',
  access: 'context.edit',
  tag: 'API contexts',
  summary: 'Change the path prefix of an API',
  params: idParams,
  body: z.object({
    context: requiredText(100, 'context')
      .transform((value) => value.replace(/^\/+|\/+$/g, ''))
      .refine((value) => contextPattern.test(value), {
        error:
          'The context may hold segments of lower-case letters, digits, dots, dashes and underscores, like sales/v1.',
      })
      .refine((value) => !isReservedContext(value), {
        error:
          'Paths that begin like this are reserved for Gatehouse itself: choose another context.',
      }),
  }),
  response: contextRecord,
})
