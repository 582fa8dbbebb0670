import { z } from 'zod'
import {
  agentOffer,
  agentOffers,
  agentReleaseHours,
  toolDescription,
  toolName,
} from '../callers/agent-tools.ts'
import { answerTimeoutMs, authTypes, statuses } from '../apis/api-fields.ts'
import { apiRecord } from '../apis/apis.ts'
import { bulkAnswer, endpointBulkChange } from '../kernel/bulk.ts'
import { compileOutput } from './custom-output.ts'
import { methods } from './endpoint-methods.ts'
import { endpointParameters, shownParameters } from './endpoint-parameters.ts'
import { pathProblem } from './endpoint-path.ts'
import { endpointTransformation, storedTransformation } from './endpoint-transformation.ts'
import { endpointWebSocket, storedWebSocket } from './endpoint-web-socket.ts'
import {
  endpointValidation,
  storedValidation,
  type EndpointValidation,
} from './endpoint-validation.ts'
import { exampleOfSchema } from '../json-schema/schema-example.ts'
import { acrossFields } from '../kernel/across-fields.ts'
import {
  choice,
  flag,
  idMax,
  isId,
  optionalFlag,
  requiredText,
  text,
  version,
} from '../kernel/fields.ts'
import { idParams, listQuery, pageOf } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { runSettings, runSettingsRecord } from '../runs/settings/run-settings.ts'
import { staticHeaders } from '../apis/sign-in/outgoing-header.ts'
import { tagCount, tagFilter, tagList } from '../apis/tags.ts'

interface OutputFields {
  enable_custom_output: boolean
  custom_output: string
}

const checkCustomOutput: Parameters<typeof acrossFields<OutputFields>>[0] = (
  { enable_custom_output, custom_output = '' },
  context,
) => {
  if (!enable_custom_output) return
  const fail = (message: string) =>
    context.addIssue({ code: 'custom', path: ['custom_output'], message })
  if (custom_output.trim() === '') {
    fail('The output content field is required while Custom Output is on.')
    return
  }
  const output = compileOutput(custom_output)
  if (output.kind === 'broken') fail(`The output content cannot be used. ${output.reason}`)
}

interface WebSocketFields {
  web_socket?: object | null | undefined
  method_type: string
  enable_custom_output: boolean
}

const checkWebSocket: Parameters<typeof acrossFields<WebSocketFields>>[0] = (
  { web_socket, method_type, enable_custom_output },
  context,
) => {
  if (!web_socket) return
  const fail = (message: string) =>
    context.addIssue({ code: 'custom', path: ['web_socket'], message })
  // RFC 6455 §4.1.
  if (method_type !== undefined && method_type !== 'get') fail('WebSockets need the method GET.')
  if (enable_custom_output) fail('WebSockets and Custom Output exclude each other.')
}

interface MockFields extends WebSocketFields {
  validation?: EndpointValidation | null | undefined
}

const checkMock: Parameters<typeof acrossFields<MockFields>>[0] = (
  { validation, web_socket, enable_custom_output },
  context,
) => {
  if (!validation?.is_mocked) return
  const fail = (message: string) =>
    context.addIssue({ code: 'custom', path: ['validation', 'is_mocked'], message })
  if (exampleOfSchema(validation.answer_schema ?? '') === undefined)
    fail('A mock needs a schema of answers, with an example of at most 256 Ki characters.')
  if (enable_custom_output) fail('A mock and Custom Output exclude each other.')
  if (web_socket) fail('A mock and WebSockets exclude each other.')
}

export const endpointPath = requiredText(500, 'path').superRefine((value, context) => {
  const problem = value === '' ? undefined : pathProblem(value)
  if (problem) context.addIssue({ code: 'custom', message: problem })
})

/** An endpoint as the forms send it (spec: endpoint-payload). */
export const endpointDefinition = z
  .object({
    api_id: z
      .union([z.number(), z.string(), z.null()], { error: 'Choose an API.' })
      .optional()
      .refine((value) => value !== undefined && value !== null && value !== '', {
        error: 'The API field is required.',
      })
      .transform(Number)
      .refine((value) => isId(value), {
        error: 'Choose an API from the list.',
      }),
    method_type: choice(methods, 'method'),
    status: choice(statuses, 'status'),
    path: endpointPath,
    // wire: `summery` is the spec's spelling.
    summery: requiredText(200, 'summary'),
    description: requiredText(1000, 'description', { isMultiline: true }),
    enable_custom_output: flag,
    custom_output: z
      .union([z.string(), z.null()], { error: 'The output content must be text.' })
      .optional()
      .transform((value) => value ?? '')
      .refine((value) => !value.includes('\0'), {
        error: 'The output content may not contain NUL.',
      })
      .refine((value) => value.length <= 262_144, {
        error: 'The output content may not be longer than 262144 characters.',
      }),
    /** Absent: a new endpoint asks callers for a token, and an update keeps what is stored. */
    authentication: optionalFlag,
    // Sent on update only (spec: entities): blank means the one type there is.
    auth_type: text(100, 'auth type').refine((value) => value === '' || value === authTypes[0], {
      error: `The auth type must be one of: ${authTypes.join(', ')}.`,
    }),
    /** Sent with every call; one wins over its API's of the same name. Absent keeps what is stored. */
    static_headers: staticHeaders.nullable().optional(),
    /** What a call may carry, for its documentation. Absent keeps what is stored. */
    parameters: endpointParameters.nullable().optional(),
    /** What requests and answers have to fit. Absent keeps what is stored, null takes it away. */
    validation: endpointValidation.nullable().optional(),
    /** What the gateway changes in requests and answers. Absent keeps what is stored, null takes it away. */
    transformation: endpointTransformation.nullable().optional(),
    /** Whether WebSockets pass through, and within which bounds. Absent keeps what is stored, null takes it away. */
    web_socket: endpointWebSocket.nullable().optional(),
    /** In place of its API's. Absent keeps what is stored. */
    answer_timeout_ms: answerTimeoutMs,
    agent_offer: agentOffer,
    tool_name: toolName,
    tool_description: toolDescription,
    agent_release_hours: agentReleaseHours,
    /** How runs treat the endpoint; absent means the defaults, or on update what is stored. */
    run_settings: runSettings.optional(),
    /** Absent keeps what is stored. */
    tags: tagList.nullable().optional(),
    version,
  })
  .superRefine(...acrossFields(checkCustomOutput))
  .superRefine(...acrossFields(checkWebSocket))
  .superRefine(...acrossFields(checkMock))
export type EndpointDefinition = z.output<typeof endpointDefinition>

// wire: flags leave as 0 or 1, the API as a related record, `auth_type` blank when off (spec: entities).
const endpointRecord = z.object({
  id: z.number().int(),
  api: z.object({ id: z.number().int(), name: z.string(), context: z.string() }),
  ...({
    status: z.enum(statuses),
    description: z.string(),
    summery: z.string(),
    path: z.string(),
    method_type: z.enum(methods),
    api_id: z.number().int(),
    enable_custom_output: z.literal([0, 1]),
    custom_output: z.string(),
    authentication: z.literal([0, 1]),
    auth_type: z.enum([...authTypes, '']),
    static_headers: z.array(z.object({ name: z.string(), value: z.string() })),
    parameters: shownParameters,
    validation: storedValidation.nullable(),
    transformation: storedTransformation.nullable(),
    web_socket: storedWebSocket.nullable(),
    /** Null: that of its API. */
    answer_timeout_ms: z.number().int().nullable(),
    agent_offer: z.enum(agentOffers),
    /** Blank until it becomes a tool. */
    tool_name: z.string(),
    tool_description: z.string(),
    agent_release_hours: z.number().int().nullable(),
    run_settings: runSettingsRecord,
    tags: z.array(z.string()),
    version: z.number().int(),
  } satisfies Record<keyof EndpointDefinition, z.ZodType>),
  /** For the edit form: how many roles may call it. A move to another API takes it from them. */
  access_count: z.number().int().optional(),
  /** After a save: how many roles lost it, because it went to another API. */
  access_cleared: z.number().int().optional(),
})
export type EndpointRecord = z.output<typeof endpointRecord>

export const listEndpoints = defineRoute({
  method: 'GET',
  path: '/api/endpoint',
  access: 'endpoint.view',
  tag: 'Endpoints',
  summary: 'List endpoints',
  query: listQuery(['id', 'status', 'description', 'path', 'method_type']).extend({
    status: z.enum(statuses).optional(),
    method_type: z.enum(methods).optional(),
    api_id: z.coerce.number().int().positive().max(idMax).optional(),
    tag: tagFilter,
  }),
  response: pageOf(endpointRecord),
})

export const listEndpointTags = defineRoute({
  method: 'GET',
  path: '/api/endpoint/tags',
  access: 'endpoint.view',
  tag: 'Endpoints',
  summary: 'The tags that endpoints have, and how many have each',
  response: z.array(tagCount),
})

export const endpointForm = defineRoute({
  method: 'GET',
  path: '/api/endpoint/create',
  access: 'endpoint.create',
  tag: 'Endpoints',
  summary: 'What the create form needs: the list of APIs',
  response: z.tuple([z.array(apiRecord)]),
})

export const createEndpoint = defineRoute({
  method: 'POST',
  path: '/api/endpoint',
  access: 'endpoint.create',
  tag: 'Endpoints',
  summary: 'Define an endpoint',
  status: 201,
  body: endpointDefinition,
  response: endpointRecord,
})

export const changeEndpoints = defineRoute({
  method: 'POST',
  path: '/api/endpoint/bulk',
  // Beside it the permission of the action: endpoint.delete to delete, endpoint.edit for the others.
  access: 'endpoint.view',
  tag: 'Endpoints',
  summary:
    'Enable, disable, tag or delete several endpoints, or ask for a token at each; each result says whether it was done',
  body: endpointBulkChange,
  response: bulkAnswer,
})

export const editEndpoint = defineRoute({
  method: 'GET',
  path: '/api/endpoint/:id/edit',
  access: 'endpoint.view',
  tag: 'Endpoints',
  summary: 'One endpoint, for its form, and the list of APIs',
  params: idParams,
  response: z.tuple([endpointRecord, z.array(apiRecord)]),
})

export const updateEndpoint = defineRoute({
  method: 'PUT',
  path: '/api/endpoint/:id',
  access: 'endpoint.edit',
  tag: 'Endpoints',
  summary: 'Change an endpoint; a move to another API takes it from every role that had access',
  params: idParams,
  body: endpointDefinition,
  response: endpointRecord,
})

export const deleteEndpoint = defineRoute({
  method: 'DELETE',
  path: '/api/endpoint/:id',
  access: 'endpoint.delete',
  tag: 'Endpoints',
  summary: 'Delete an endpoint',
  status: 204,
  params: idParams,
})
