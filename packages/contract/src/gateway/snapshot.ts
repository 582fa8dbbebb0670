import { z } from 'zod'
import { cachePurges } from '../apis/kept-purges.ts'
import { drivers, tlsModes } from '../apis/database-drivers.ts'
import { wireMethodNames } from '../endpoints/endpoint-methods.ts'
import { storedTransformation } from '../endpoints/endpoint-transformation.ts'
import { storedWebSocket } from '../endpoints/endpoint-web-socket.ts'
import { storedValidation } from '../endpoints/endpoint-validation.ts'
import { jwtAlgorithms } from '../callers/jwt-algorithms.ts'
import { storedCredential } from '../apis/sign-in/credential-schemas.ts'
import { storedTls } from '../apis/sign-in/tls-settings.ts'
import { tokenLimits } from '../callers/token-limits.ts'
import { addressRanges, trafficPolicy } from '../apis/policy/traffic-policy.ts'

/**
 * The configuration that a gateway runs on, whole, as the control plane publishes it. A gateway reads
 * nothing else: no database, no other process. It holds secrets (upstream credentials, passwords of
 * databases): it travels between our own processes only, and is encrypted where it is kept.
 */

/**
 * Rises when the shape changes in a way that an older gateway can't read. A field that is new needs a
 * default: the snapshot that an earlier release has kept lacks it.
 */
export const snapshotFormat = 1

/**
 * What of an API can't be read. The first six isolate it: it is published without anything to call, and its
 * callers are answered `config.api_unreadable`. `context`: no path can lead to it, and it is left out.
 * `endpoint`: one of its endpoints is left out, the others are served.
 */
export const apiFaults = [
  'upstream_token',
  'credential',
  'tls',
  'password',
  'policy',
  'definition',
  'context',
  'endpoint',
] as const
export type ApiFault = (typeof apiFaults)[number]

const id = z.number().int().positive()
const namedValues = z.array(z.object({ name: z.string(), value: z.string() })).default([])

const snapshotProcedure = z.object({
  driver: z.enum(drivers),
  host: z.string(),
  port: z.number().int(),
  database: z.string(),
  username: z.string(),
  password: z.string(),
  tls: z.enum(tlsModes),
  /** Authority (PEM) beside those that Node knows. */
  ca: z.string().nullable(),
  /** The procedure, as `name` or `schema.name`. */
  method: z.string(),
})

/** An endpoint as a tool of agents (spec: agent-tools). Names and descriptions come from the configuration alone. */
export const snapshotTool = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  effect: z.enum(['read', 'idempotent', 'submit']),
  /** What goes into the path, the query, the headers and the fields of a form. */
  parameters: z.array(
    z.object({
      /** Its name among the arguments. */
      argument: z.string(),
      in: z.enum(['path', 'query', 'header', 'form']),
      name: z.string(),
      is_required: z.boolean(),
      /** JSON Schema, as text. */
      schema: z.string(),
    }),
  ),
  /** Null: it takes none, or a form. */
  body: z
    .object({
      is_required: z.boolean(),
      content_type: z.string(),
      /** JSON Schema, as text; blank: the body is a text of another kind than JSON. */
      schema: z.string(),
    })
    .nullable(),
  /** What the schemas refer to, as JSON text of an object; blank: nothing. */
  defs: z.string(),
  /** JSON Schema of an object, as text; blank: none. */
  answer_schema: z.string(),
  /** The endpoint that says what became of a call. */
  asked_by: id.nullable(),
  /** A person has to release each call. Absent in what an earlier release has kept. */
  needs_release: z.boolean().default(false),
})
export type SnapshotTool = z.output<typeof snapshotTool>

const draftOf = <Api extends z.ZodType>(api: Api) => z.object({ token_ids: z.array(id), api })

const servedApi = z.object({
  id,
  name: z.string(),
  /** Path prefix without outer slashes. */
  context: z.string(),
  /** Disabled: answered 503, after authentication. */
  is_active: z.boolean(),
  /** Open to clients in the internal networks only. */
  is_internal: z.boolean(),
  requires_token: z.boolean(),
  /** Whether its endpoints are tools of agents. Absent in what an earlier release has kept. */
  offer_to_agents: z.boolean().default(false),
  /** Null for a stored procedure. */
  base_url: z.string().nullable(),
  procedure: snapshotProcedure.nullable(),
  /** What calls show. Where a token is obtained with it, its own secrets are blank. */
  credential: storedCredential.nullable().default(null),
  /**
   * Another one after each save of the credential, its blanked secrets included: a token that an
   * earlier one gave is not used any more. Blank in what an earlier release has kept.
   */
  credential_seal: z.string().default(''),
  tls: storedTls.nullable().default(null),
  static_headers: namedValues,
  connect_timeout_ms: z.number().int(),
  answer_timeout_ms: z.number().int(),
  policy: trafficPolicy,
  /** The last purges of its cache. Absent in what an earlier release has kept. */
  cache_purges: cachePurges.default([]),
  /** Set: the API is isolated. Absent in what an earlier release has kept. */
  fault: z.enum(apiFaults).nullable().default(null),
})

export const snapshotApi = servedApi.extend({
  /** What calls with these tokens reach instead; id and context are the same. Absent in what an earlier release has kept. */
  draft: draftOf(servedApi).nullable().default(null),
})
export type SnapshotApi = z.output<typeof snapshotApi>

export const snapshotEndpoint = z.object({
  id,
  api_id: id,
  name: z.string(),
  method: z.enum(wireMethodNames),
  /** Begins with a slash; `{name}` stands for one whole segment. */
  path: z.string(),
  is_active: z.boolean(),
  requires_token: z.boolean(),
  /** Fixed reply or template; null while off. */
  custom_output: z.string().nullable(),
  /** A GET may call a stored procedure that its database does not declare to be reading only. */
  is_read_only: z.boolean(),
  /** Not declared to be a submit. Absent in what an earlier release has kept: not repeated. */
  is_repeatable: z.boolean().default(false),
  /** These win over the API's. */
  static_headers: namedValues,
  /** Null while it is off, and in what an earlier release has kept. */
  validation: storedValidation.nullable().default(null),
  /** Null: nothing is changed. Absent in what an earlier release has kept. */
  transformation: storedTransformation.nullable().default(null),
  /** Null: no WebSockets. Absent in what an earlier release has kept. */
  web_socket: storedWebSocket.nullable().default(null),
  /** In place of its API's; null: that. Absent in what an earlier release has kept. */
  answer_timeout_ms: z.number().int().nullable().default(null),
  /** Null: it is none. Absent in what an earlier release has kept. */
  tool: snapshotTool.nullable().default(null),
})
export type SnapshotEndpoint = z.output<typeof snapshotEndpoint>

export const snapshotToken = z.object({
  id,
  /** SHA-256 of the token, in lower-case hex. */
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  user_id: id,
  expires_at: z.iso.datetime(),
  role_ids: z.array(id),
  /** With which its holder signs requests; null: it signs none. Absent in what an earlier release has kept. */
  signing_secret: z.string().nullable().default(null),
  /** Null: none. Absent in what an earlier release has kept. */
  limits: tokenLimits.nullable().default(null),
})
export type SnapshotToken = z.output<typeof snapshotToken>

/** A public key of an issuer. */
const snapshotKey = z.object({
  /** Null: it has none, and any token may be signed with it. */
  kid: z.string().nullable(),
  /** What it may be used with: what its kind allows, and no more than it says itself. */
  algorithms: z.array(z.enum(jwtAlgorithms)),
  jwk: z.record(z.string(), z.string()),
})

/** Who signs JWTs that callers may show in place of a personal token. */
export const snapshotIssuer = z.object({
  id,
  name: z.string(),
  /** `iss`, letter by letter. */
  issuer: z.string(),
  /** One of `aud`. */
  audience: z.string(),
  algorithms: z.array(z.enum(jwtAlgorithms)),
  /** How far clocks may differ. */
  skew_seconds: z.number().int().nonnegative(),
  /** Name of the claim with roles, or the way to it with dots between. */
  role_claim: z.string(),
  /** Which of its values stand for which role; the value `*`: every token of this issuer. */
  roles: z.array(z.object({ value: z.string(), role_id: id })),
  keys: z.array(snapshotKey),
})
export type SnapshotIssuer = z.output<typeof snapshotIssuer>

/** Which endpoints a role may call. */
export const snapshotRole = z.object({
  role_id: id,
  endpoint_ids: z.array(id),
  /** From which addresses; absent: from everywhere. */
  addresses: addressRanges.optional(),
})
export type SnapshotRole = z.output<typeof snapshotRole>

/** Which configuration it is. */
export const snapshotRevision = {
  /** Rises with every change of the configuration. */
  revision: z.number().int().nonnegative(),
  /** Random, and another one with every change: a number may come twice. Blank in what an earlier release has kept. */
  mark: z.string().default(''),
}

export const configSnapshot = z.object({
  format: z.literal(snapshotFormat),
  ...snapshotRevision,
  built_at: z.iso.datetime(),
  apis: z.array(snapshotApi),
  endpoints: z.array(snapshotEndpoint),
  /** Neither revoked nor expired when the snapshot was built. */
  tokens: z.array(snapshotToken),
  /** Those that are switched on. Absent in what an earlier release has kept. */
  issuers: z.array(snapshotIssuer).default([]),
  /** Roles that hold no endpoint are left out. */
  access: z.array(snapshotRole),
  /** May call every endpoint. */
  super_admin_role_id: id.nullable(),
})
export type ConfigSnapshot = z.output<typeof configSnapshot>

/** Which configuration it is. The number alone does not say it: see `mark`. */
export type RevisionId = Pick<ConfigSnapshot, 'revision' | 'mark'>

/** True where both are the same configuration, or neither is known. */
export const isSameRevision = (one?: RevisionId | null, other?: RevisionId | null): boolean =>
  one?.revision === other?.revision && one?.mark === other?.mark
