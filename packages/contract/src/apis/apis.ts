import { z } from 'zod'
import { apiDefinition, newApiDefinition } from './api-definition.ts'
import { protocols, statuses } from './api-fields.ts'
import { bulkAnswer, bulkChange } from '../kernel/bulk.ts'
import { flag } from '../kernel/fields.ts'
import { idParams, listQuery, pageOf } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { apiFaults } from '../gateway/snapshot.ts'
import { tagCount, tagFilter } from './tags.ts'

// wire (spec: api-record): the definition travels as a JSON string.
export const apiRecord = z.object({
  id: z.number().int(),
  submitted_data: z.string(),
  /** Which part can't be read, so that the gateway answers 503; absent where that is not checked. */
  fault: z.enum(apiFaults).nullable().optional(),
  /** Where clients reach it, without the path of an endpoint; absent in lists and after a save. */
  gateway_url: z.string().optional(),
})
export type ApiRecord = z.output<typeof apiRecord>

const apiListRow = apiRecord.extend({
  endpoints_count: z.number().int(),
  /** Set if the stored procedure has changed since the definition was saved. */
  drift: z.enum(['breaking', 'additive']).nullable(),
  fault: z.enum(apiFaults).nullable(),
})
export type ApiListRow = z.output<typeof apiListRow>

export const listApis = defineRoute({
  method: 'GET',
  path: '/api/apis',
  access: 'api.view',
  tag: 'APIs',
  summary: 'List APIs',
  query: listQuery(['id', 'name', 'gateway_status', 'api_protocol', 'api_url']).extend({
    gateway_status: z.enum(statuses).optional(),
    api_protocol: z.enum(protocols).optional(),
    tag: tagFilter,
  }),
  response: pageOf(apiListRow),
})

export const listApiTags = defineRoute({
  method: 'GET',
  path: '/api/apis/tags',
  access: 'api.view',
  tag: 'APIs',
  summary: 'The tags that APIs have, and how many have each',
  response: z.array(tagCount),
})

export const createApi = defineRoute({
  method: 'POST',
  path: '/api/apis',
  access: 'api.create',
  tag: 'APIs',
  summary: 'Register an API',
  status: 201,
  body: newApiDefinition,
  response: apiRecord,
})

export const changeApis = defineRoute({
  method: 'POST',
  path: '/api/apis/bulk',
  // Beside it the permission of the action: api.delete to delete, api.edit for the others.
  access: 'api.view',
  tag: 'APIs',
  summary: 'Enable, disable, tag or delete several APIs; each result says whether it was done',
  body: bulkChange,
  response: bulkAnswer,
})

export const editApi = defineRoute({
  method: 'GET',
  path: '/api/apis/:id/edit',
  access: 'api.view',
  tag: 'APIs',
  summary: 'One API, for its form',
  params: idParams,
  // wire (spec: calls): "first element's submitted_data".
  response: z.tuple([apiRecord]),
})

export const updateApi = defineRoute({
  method: 'PUT',
  path: '/api/apis/:id',
  access: 'api.edit',
  tag: 'APIs',
  summary: 'Change an API',
  params: idParams,
  body: z.intersection(
    apiDefinition,
    z.object({
      /** Documents stay in the register that it leaves (`api.register_change`). */
      confirm_register: flag,
    }),
  ),
  response: apiRecord,
})

export const deleteApi = defineRoute({
  method: 'DELETE',
  path: '/api/apis/:id',
  access: 'api.delete',
  tag: 'APIs',
  summary: 'Delete an API that has no endpoints',
  status: 204,
  params: idParams,
})
