import { z } from 'zod'
import { baseUrlProblem } from './base-url.ts'
import { credentialInput } from './credentials.ts'
import { drivers, tlsModes } from './database-drivers.ts'
import type { TlsMode } from './database-drivers.ts'
import { acrossFields } from './kernel/across-fields.ts'
import { choice, flag, optionalInteger, requiredText, text, version } from './kernel/fields.ts'
import { staticHeaders } from './sign-in/outgoing-header.ts'
import type { NamedValue } from './sign-in/outgoing-header.ts'
import type { ShownCredential, StoredCredential } from './sign-in/stored-credential.ts'
import { tlsInput, type ShownTls } from './sign-in/tls-settings.ts'
import { ownUrlIssues, trafficPolicyInput } from './traffic-policy-input.ts'

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

const commonFields = {
  name: requiredText(100, 'name'),
  api_protocol: choice(protocols, 'protocol'),
  authentication: flag,
  auth_type: optionalChoice(authTypes, 'auth type'),
  gateway_status: choice(statuses, 'gateway status'),
  api_access: choice(accesses, 'access'),
  connect_timeout_ms: optionalInteger('connect time-out', 100, 60_000),
  answer_timeout_ms: optionalInteger('answer time-out', 100, 600_000),
  /** Absent keeps what is stored, and is all off on a new API; null is all off. */
  traffic_policy: trafficPolicyInput.nullable().optional(),
  /** The version that the form was loaded with: a save over another user's change is a 409. */
  version,
}

const httpFields = {
  api_url: optionalBaseUrl('base URL'),
  test_api_url: optionalBaseUrl('test base URL'),
  /** How calls sign in (spec: sign-in). Absent keeps what is stored, null forgets it. */
  credential: credentialInput.nullable().optional(),
  /** For the test base URL; without it the one above is for both. */
  test_credential: credentialInput.nullable().optional(),
  tls: tlsInput.nullable().optional(),
  /** Sent with every call. Absent keeps what is stored. */
  static_headers: staticHeaders.nullable().optional(),
  /** The same as a credential of the kind `bearer`. Blank says nothing. */
  upstream_token: secret(8192, 'upstream token').refine((value) => /^[\x21-\x7e]*$/.test(value), {
    error: 'The upstream token may only contain visible ASCII characters.',
  }),
  /** The same as a credential that is null. */
  clear_upstream_token: flag,
}

const procedureFields = {
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
}

/** Every field of the form, side by side: on the wire both protocols share one object. */
export const apiFields = z.object({ ...commonFields, ...httpFields, ...procedureFields })
type ApiFields = z.output<typeof apiFields>

type PartOf<Shape> = Pick<ApiFields, keyof Shape & keyof ApiFields>
type CommonPart = Omit<PartOf<typeof commonFields>, 'api_protocol'>
type ProcedurePart = PartOf<typeof procedureFields>

type HttpPart = Omit<PartOf<typeof httpFields>, 'upstream_token' | 'clear_upstream_token'>

export interface HttpApiDefinition extends CommonPart, HttpPart {
  api_protocol: 'http'
  /** Of whatever field it was sent in. Secrets may be blank: the stored ones are meant. */
  credential: StoredCredential | null | undefined
}

export interface ProcedureApiDefinition extends CommonPart, ProcedurePart {
  api_protocol: 'stored_procedure'
  driver: NonNullable<ProcedurePart['driver']>
  port: NonNullable<ProcedurePart['port']>
}

/** An API as it was sent and checked: with the fields of its own protocol only. */
export type ApiDefinition = HttpApiDefinition | ProcedureApiDefinition

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

const checkedFields = apiFields.superRefine(
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
    if (
      (definition['credential'] ?? null) !== null &&
      (definition['upstream_token'] ?? '') !== ''
    ) {
      context.addIssue({
        code: 'custom',
        path: ['upstream_token'],
        message: 'Give the upstream token or the sign-in, not both.',
      })
    }
    for (const issue of ownUrlIssues(definition)) context.addIssue(issue)
  }),
)

/** The checks have seen to it that the fields of its protocol are there. */
function toDefinition({
  upstream_token,
  clear_upstream_token,
  ...fields
}: ApiFields): ApiDefinition {
  const isHttp = fields.api_protocol === 'http'
  const ignored = isHttp ? procedureFields : httpFields
  const own = Object.entries(fields).filter(([field]) => !Object.hasOwn(ignored, field))
  const definition = Object.fromEntries(own) as unknown as ApiDefinition
  if (!isHttp || fields.credential !== undefined) return definition
  return {
    ...definition,
    credential: tokenCredential(upstream_token, clear_upstream_token),
  } as HttpApiDefinition
}

function tokenCredential(token: string, isCleared: boolean): HttpApiDefinition['credential'] {
  if (token === '') return isCleared ? null : undefined
  return { kind: 'bearer', token, scheme: 'Bearer', refused_when: null }
}

/** An API as the form sends it. Fields of the protocol that was not chosen are ignored. */
export const apiDefinition = checkedFields.transform(toDefinition)
export type ApiDefinitionInput = z.input<typeof apiDefinition>

/** A new API: a stored procedure needs its password now; later, blank keeps the stored one. */
export const newApiDefinition = checkedFields
  .superRefine(
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
  .transform(toDefinition)

/** Never shown: secrets, and what is done with them. */
type HiddenField = 'password' | 'upstream_token' | 'clear_upstream_token'

/** Fields whose secrets are not shown. */
interface ShownSignIn {
  credential: ShownCredential | null
  test_credential: ShownCredential | null
  tls: ShownApiTls | null
  static_headers: NamedValue[]
}

export interface ShownApiTls extends ShownTls {
  /** The client certificate; null: none. */
  certificate: { subject: string; issuer: string; expires_at: string } | null
}

/** As a form shows a field: a choice that was not made is blank. */
type Shown<T> = null extends T
  ? Exclude<T, null | undefined> extends string
    ? Exclude<T, null | undefined> | ''
    : Exclude<T, undefined>
  : Exclude<T, undefined>

/**
 * `submitted_data`, decoded: what the lists and the form show of an API. Fields of the other protocol
 * are blank. Secrets are never among it: `has_password`, `has_upstream_token` (a credential of the
 * kind `bearer`) and the `has_…` of a credential say that one is stored.
 */
export type SubmittedApi = {
  [F in Exclude<keyof ApiFields, HiddenField | keyof ShownSignIn>]-?: Shown<ApiFields[F]>
} & ShownSignIn & {
    has_password: boolean
    has_upstream_token: boolean
    context: string
  }
