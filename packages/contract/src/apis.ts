import { z } from 'zod'
import { baseUrlProblem } from './base-url.ts'
import { drivers, tlsModes } from './database-drivers.ts'
import type { TlsMode } from './database-drivers.ts'
import { acrossFields } from './kernel/across-fields.ts'
import { choice, flag, optionalInteger, requiredText, text, version } from './kernel/fields.ts'
import { idParams, listQuery, pageOf } from './kernel/paging.ts'
import { defineRoute } from './kernel/route.ts'
import { apiFaults } from './snapshot.ts'
import { ownUrlIssues, trafficPolicyInput } from './traffic-policy-input.ts'
import { trafficPolicy } from './traffic-policy.ts'

export const protocols = ['http', 'stored_procedure'] as const
export const statuses = ['active', 'disabled'] as const
export const accesses = ['internally', 'externally'] as const
export const authTypes = ['bearer_token'] as const

/** TLS to a database where the definition says nothing (spec: procedures). */
export const tlsDefaults: Record<(typeof drivers)[number], TlsMode> = {
  sqlsrv: 'verified',
  mysql: 'off',
}

/** Time-outs of one API; blank means these. */
export const connectTimeoutDefaultMs = 5_000
export const answerTimeoutDefaultMs = 30_000

const optionalChoice = <const C extends readonly [string, ...string[]]>(
  choices: C,
  label: string,
) =>
  text(100, label)
    .transform((value) => value.toLowerCase())
    .refine((value) => value === '' || choices.includes(value), {
      error: `The ${label} must be one of: ${choices.join(', ')}.`,
    })
    .transform((value) => (value === '' ? null : (value as C[number])))

const optionalBaseUrl = (label: string) =>
  text(2048, label).superRefine((value, context) => {
    const problem = value === '' ? undefined : baseUrlProblem(value, label)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })

/** Secrets are taken as typed. Absent or blank keeps the stored one; they are never sent back. */
const secret = (maxLength: number, label: string) =>
  z
    .union([z.string(), z.null()], { error: `The ${label} must be text.` })
    .optional()
    .transform((value) => value ?? '')
    .refine((value) => value.length <= maxLength, {
      error: `The ${label} may not be longer than ${maxLength} characters.`,
    })

const requiredPerProtocol: Record<string, Record<string, string>> = {
  http: { api_url: 'base URL' },
  stored_procedure: {
    driver: 'driver',
    host: 'host',
    port: 'port',
    database: 'database',
    username: 'username',
    func_name: 'stored procedure method',
  },
}

/** An API as the form sends it. Fields of the protocol that was not chosen are ignored. */
export const apiDefinition = z
  .object({
    name: requiredText(100, 'name'),
    api_protocol: choice(protocols, 'protocol'),
    authentication: flag,
    auth_type: optionalChoice(authTypes, 'auth type'),
    gateway_status: choice(statuses, 'gateway status'),
    api_access: choice(accesses, 'access'),
    api_url: optionalBaseUrl('base URL'),
    test_api_url: optionalBaseUrl('test base URL'),
    driver: optionalChoice(drivers, 'driver'),
    host: text(253, 'host').refine((value) => value === '' || /^[\w.:-]+$/.test(value), {
      error: 'The host must be a host name or an IP address.',
    }),
    port: optionalInteger('port', 1, 65_535),
    database: text(128, 'database'),
    username: text(128, 'username'),
    password: secret(1024, 'password'),
    func_name: text(256, 'stored procedure method'),
    /** TLS to the database; blank: on for SQL Server, off for MySQL. */
    db_tls: optionalChoice(tlsModes, 'TLS'),
    /** Certificate of the authority (PEM) that signed the database's, where Node does not know it. */
    db_ca: text(65_536, 'certificate', { isMultiline: true }).refine(
      (value) =>
        value === '' || /^-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----$/.test(value),
      { error: 'The certificate must be PEM text that begins with -----BEGIN CERTIFICATE-----.' },
    ),
    /** Upstream credential: sent upstream as a Bearer token where the caller gives none. */
    upstream_token: secret(8192, 'upstream token').refine((value) => /^[\x21-\x7e]*$/.test(value), {
      error: 'The upstream token may only contain visible ASCII characters.',
    }),
    /** True forgets the stored upstream credential. */
    clear_upstream_token: flag,
    connect_timeout_ms: optionalInteger('connect time-out', 100, 60_000),
    answer_timeout_ms: optionalInteger('answer time-out', 100, 600_000),
    /** Absent keeps what is stored, and is all off on a new API; null is all off. */
    traffic_policy: trafficPolicyInput.nullable().optional(),
    /** The version that the form was loaded with: a save over another user's change is a 409. */
    version,
  })
  .superRefine(
    ...acrossFields<Record<string, unknown>>((definition, context) => {
      const required = requiredPerProtocol[String(definition['api_protocol'])] ?? {}
      for (const [field, label] of Object.entries(required)) {
        if ((definition[field] ?? '') !== '') continue
        context.addIssue({
          code: 'custom',
          path: [field],
          message: `The ${label} field is required.`,
        })
      }
      if (definition['authentication'] === true && (definition['auth_type'] ?? '') === '') {
        context.addIssue({
          code: 'custom',
          path: ['auth_type'],
          message: 'The auth type field is required.',
        })
      }
      for (const issue of ownUrlIssues(definition)) context.addIssue(issue)
    }),
  )

/** A new API: a stored procedure needs its password now; later, blank keeps the stored one. */
export const newApiDefinition = apiDefinition.superRefine(
  ...acrossFields<Record<string, unknown>>(({ api_protocol, password }, context) => {
    if (api_protocol === 'stored_procedure' && (password ?? '') === '') {
      context.addIssue({
        code: 'custom',
        path: ['password'],
        message: 'The password field is required.',
      })
    }
  }),
)
export type ApiDefinitionInput = z.input<typeof apiDefinition>
export type ApiDefinition = z.output<typeof apiDefinition>

/**
 * `submitted_data`, decoded: what the lists and the form show of an API. Secrets are never among
 * it; `has_password` and `has_upstream_token` say that one is stored.
 */
export const submittedApi = z.object({
  name: z.string(),
  api_protocol: z.enum(protocols),
  authentication: z.boolean(),
  auth_type: z.enum([...authTypes, '']),
  gateway_status: z.enum(statuses),
  api_access: z.enum(accesses),
  api_url: z.string(),
  test_api_url: z.string(),
  driver: z.enum([...drivers, '']),
  host: z.string(),
  port: z.number().int().nullable(),
  database: z.string(),
  username: z.string(),
  func_name: z.string(),
  db_tls: z.enum([...tlsModes, '']),
  db_ca: z.string(),
  has_password: z.boolean(),
  has_upstream_token: z.boolean(),
  connect_timeout_ms: z.number().int().nullable(),
  answer_timeout_ms: z.number().int().nullable(),
  /** Null while every part of it is off. */
  traffic_policy: trafficPolicy.nullable(),
  context: z.string(),
  version: z.number().int(),
})
export type SubmittedApi = z.output<typeof submittedApi>

// wire (spec: api-record): the definition travels as a JSON string.
export const apiRecord = z.object({
  id: z.number().int(),
  submitted_data: z.string(),
  /** Which part can't be read, so that the gateway answers 503; absent where that is not checked. */
  fault: z.enum(apiFaults).nullable().optional(),
})
export type ApiRecord = z.output<typeof apiRecord>

export const apiListRow = apiRecord.extend({
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
  }),
  response: pageOf(apiListRow),
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
  body: apiDefinition,
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
