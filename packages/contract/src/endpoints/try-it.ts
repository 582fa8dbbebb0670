import { z } from 'zod'
import { apiDefinition } from '../apis/api-definition.ts'
import { methods } from './endpoint-methods.ts'
import { endpointDefinition, endpointPath } from './endpoints.ts'
import { choice, idMax, text } from '../kernel/fields.ts'
import { idParams } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { stepBody, token } from '../runs/step-fields.ts'

/** Answers are shown up to this many bytes. */
export const tryItShownBytes = 65_536

/** Lines of `Name: value`. */
export const headerLines = text(8_192, 'headers', { isMultiline: true }).superRefine(
  (value, context) => {
    const wrong = value
      .split('\n')
      .map((line) => line.trim())
      .find((line) => line !== '' && !/^[!#$%&'*+\-.^`|~0-9A-Za-z]+:[\t\x20-\x7e]*$/.test(line))
    if (wrong !== undefined) {
      context.addIssue({
        code: 'custom',
        message: `Write each header as “Name: value” on a separate line; this is not a header: ${wrong.slice(0, 60)}`,
      })
    }
  },
)

const traceStage = z.object({
  /** As the gateway's pipeline names it: guard, match, authenticate, authorize, forward, … */
  name: z.string(),
  verdict: z.enum(['passed', 'refused', 'answered', 'skipped']),
  /** Since the request's head had been read. */
  started_ms: z.number(),
  took_ms: z.number(),
  code: z.string().nullable(),
  /** Facts of the stage, secrets masked. */
  details: z.record(z.string(), z.unknown()),
})
export type TraceStageRecord = z.output<typeof traceStage>

const tryItAnswer = z.object({
  /** As it was sent to the gateway. */
  request: z.object({ method: z.string(), url: z.string() }),
  answer: z.object({
    status: z.number().int(),
    headers: z.array(z.tuple([z.string(), z.string()])),
    body: z.string(),
    /** Of the whole body, as far as it was read. */
    body_bytes: z.number().int(),
    is_whole: z.boolean(),
  }),
  took_ms: z.number(),
  request_id: z.string().nullable(),
  /** Null where the worker's report did not come in time. */
  trace: z
    .object({ revision: z.number().int(), took_ms: z.number(), stages: z.array(traceStage) })
    .nullable(),
})
export type TryItAnswer = z.output<typeof tryItAnswer>

const tryInput = z.object({
  /** Values for the parameters of the path, by name. */
  params: z.record(z.string().max(64), z.string().max(2_000)).default({}),
  /** Without the question mark. */
  query: text(8_192, 'query').refine((value) => !/[\s#]/.test(value), {
    error: 'The query may not contain white space or #: write them as %20 and %23.',
  }),
  /** One “Name: value” a line. */
  headers: headerLines,
  body: stepBody,
  /** Personal token that the request shows; blank shows none. */
  token,
  /**
   * Id of a personal token to try it with instead, as its holder would be answered. For those with
   * token.create who could make a token for that user.
   */
  as_token: z.number().int().positive().max(idMax).nullable().default(null),
  /**
   * Id of a role to try it with instead, as a client with that role alone would be answered. For those who could
   * make a token for any user with it: token.create, token.create_any and role.view, and a role within reach.
   */
  as_role: z.number().int().positive().max(idMax).nullable().default(null),
})
export type TryInput = z.output<typeof tryInput>

/**
 * Sends one request through the gateway as a client would, and answers with what each stage of it made
 * of the request. Access holds here as everywhere: the caller needs a role that has the endpoint, and
 * the gateway itself checks `token`.
 */
export const tryEndpoint = defineRoute({
  method: 'POST',
  path: '/api/endpoint/:id/try',
  access: 'request.send',
  tag: 'Gateway',
  summary: 'Try an endpoint through the gateway',
  params: idParams,
  bodyLimitBytes: 2 * 1024 * 1024,
  body: tryInput,
  response: tryItAnswer,
})

/**
 * With the endpoint as its form has it. It is checked as a save checks it; messages for its fields begin
 * with `definition.`. Nothing is stored, and no other request meets it.
 */
const unsavedInput = tryInput.extend({ definition: endpointDefinition })

const bodyLimitBytes = 3 * 1024 * 1024

export const tryNewEndpoint = defineRoute({
  method: 'POST',
  path: '/api/endpoint/try',
  // Beside it request.send, and api-permission.edit: no role has access yet.
  access: 'endpoint.create',
  tag: 'Gateway',
  summary: 'Try a new endpoint through the gateway before it is saved',
  bodyLimitBytes,
  body: unsavedInput,
  response: tryItAnswer,
})

export const tryChangedEndpoint = defineRoute({
  method: 'POST',
  path: '/api/endpoint/:id/try-changes',
  // Beside it request.send and access to the endpoint; for a move to another API, api-permission.edit.
  access: 'endpoint.edit',
  tag: 'Gateway',
  summary: 'Try changes of an endpoint through the gateway before they are saved',
  params: idParams,
  bodyLimitBytes,
  body: unsavedInput,
  response: tryItAnswer,
})

/**
 * With the API as its form has it, over HTTP. It is checked as a save checks it; messages for its fields begin
 * with `definition.`. Stored secrets that are left blank go along as with a save: only to the address that they
 * were entered for. Nothing is stored, and no other request meets it.
 */
const unsavedApiInput = tryInput.extend({
  definition: apiDefinition,
  /** One of its endpoints; null: `route`, for an API that has none yet. */
  endpoint_id: z.number().int().positive().max(idMax).nullable().default(null),
  route: z
    .object({ method_type: choice(methods, 'method'), path: endpointPath })
    .nullable()
    .default(null),
})
export type TryApiInput = z.output<typeof unsavedApiInput>

export const tryNewApi = defineRoute({
  method: 'POST',
  path: '/api/apis/try',
  // Beside it request.send, endpoint.create and api-permission.edit: there is no endpoint yet, and no access.
  access: 'api.create',
  tag: 'Gateway',
  summary: 'Try a new API through the gateway before it is saved',
  bodyLimitBytes,
  body: unsavedApiInput,
  response: tryItAnswer,
})

export const tryChangedApi = defineRoute({
  method: 'POST',
  path: '/api/apis/:id/try-changes',
  // Beside it request.send, and access to the endpoint; for a route, what a new API needs.
  access: 'api.edit',
  tag: 'Gateway',
  summary: 'Try changes of an API through the gateway before they are saved',
  params: idParams,
  bodyLimitBytes,
  body: unsavedApiInput,
  response: tryItAnswer,
})
