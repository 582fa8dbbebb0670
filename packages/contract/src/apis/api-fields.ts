import { z } from 'zod'
import { baseUrlProblem } from './base-url.ts'
import { credentialInput } from './sign-in/credentials.ts'
import { drivers, tlsModes } from './database-drivers.ts'
import type { TlsMode } from './database-drivers.ts'
import {
  choice,
  flag,
  optionalFlag,
  integerIfGiven,
  optionalInteger,
  requiredText,
  text,
  typedSecret,
  version,
} from '../kernel/fields.ts'
import { staticHeaders } from './sign-in/outgoing-header.ts'
import { tlsInput } from './sign-in/tls-settings.ts'
import { tagList } from './tags.ts'
import { trafficPolicyInput } from './policy/traffic-policy-input.ts'

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

/** Of the name of a document register. */
export const registerMax = 80

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

/** Of an API, or of one endpoint of it. */
export const answerTimeoutMs = integerIfGiven('answer time-out', 100, 600_000)

export const commonFields = {
  name: requiredText(100, 'name'),
  api_protocol: choice(protocols, 'protocol'),
  authentication: flag,
  auth_type: optionalChoice(authTypes, 'auth type'),
  gateway_status: choice(statuses, 'gateway status'),
  api_access: choice(accesses, 'access'),
  /** Whether agents find its endpoints among their tools. Absent keeps what is stored; a new API is not offered. */
  offer_to_agents: optionalFlag,
  /** Where its documents are known once each. Absent or blank keeps what is stored; that of a new API is named like it. */
  document_register: text(registerMax, 'document register').transform((value) =>
    value === '' ? undefined : value,
  ),
  connect_timeout_ms: optionalInteger('connect time-out', 100, 60_000),
  answer_timeout_ms: answerTimeoutMs.transform((value) => value ?? null),
  /** Absent keeps what is stored, and is all off on a new API; null is all off. */
  traffic_policy: trafficPolicyInput.nullable().optional(),
  /** Absent keeps what is stored. */
  tags: tagList.nullable().optional(),
  /** The version that the form was loaded with: a save over another user's change is a 409. */
  version,
}

export const httpFields = {
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
  upstream_token: typedSecret(8192, 'upstream token').refine(
    (value) => /^[\x21-\x7e]*$/.test(value),
    {
      error: 'The upstream token may only contain visible ASCII characters.',
    },
  ),
  /** The same as a credential that is null. */
  clear_upstream_token: flag,
}

export const procedureFields = {
  driver: optionalChoice(drivers, 'driver'),
  host: text(253, 'host').refine((value) => value === '' || /^[\w.:-]+$/.test(value), {
    error: 'The host must be a host name or an IP address.',
  }),
  port: optionalInteger('port', 1, 65_535),
  database: text(128, 'database'),
  username: text(128, 'username'),
  password: typedSecret(1024, 'password'),
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
export type ApiFields = z.output<typeof apiFields>
