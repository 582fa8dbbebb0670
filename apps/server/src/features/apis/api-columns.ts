import {
  noTrafficPolicy,
  procedurePolicy,
  readTrafficPolicy,
  registerMax,
  writeTrafficPolicy,
  type ApiDefinition,
  type HttpApiDefinition,
  type NamedValue,
  type ProcedureApiDefinition,
  type SubmittedApi,
  type TrafficPolicy,
} from '@gatehouse/contract'
import { shownAuthorities } from './client-authorities.ts'
import { readHeaders, writeHeaders } from '../../db/static-headers.ts'
import type { NewRow, Row } from '../../db/tables.ts'
import { readTags, tagsColumn } from '../../db/tags.ts'
import { shownCredentialOf, shownTlsOf } from './api-credentials.ts'

/** Sealed text, and what may be shown of it. Written in api-secrets.ts and api-credentials.ts alone. */
export type SignInColumn =
  | Extract<keyof Row<'api'>, `${string}_encrypted`>
  | 'credential'
  | 'test_credential'
  | 'tls'

type ApiColumns = Omit<
  NewRow<'api'>,
  SignInColumn | 'id' | 'context' | 'cache_purges' | 'version' | 'created_at' | 'updated_at'
>

/** The columns of a definition without its secrets; those of the other protocol are emptied. */
export function toColumns(definition: ApiDefinition, stored?: Row<'api'>) {
  const http = definition.api_protocol === 'http' ? definition : undefined
  const procedure = definition.api_protocol === 'http' ? undefined : definition
  return {
    name: definition.name,
    name_key: definition.name.toLowerCase(),
    api_protocol: definition.api_protocol,
    authentication: definition.authentication ? 1 : 0,
    auth_type: definition.authentication ? definition.auth_type : null,
    gateway_status: definition.gateway_status,
    api_access: definition.api_access,
    offer_to_agents: offerColumn(definition, stored),
    document_register:
      definition.document_register ?? stored?.document_register ?? registerNamedLike(definition),
    api_url: http?.api_url || null,
    test_api_url: http?.test_api_url || null,
    driver: procedure?.driver ?? null,
    host: procedure?.host || null,
    port: procedure?.port ?? null,
    database: procedure?.database || null,
    username: procedure?.username || null,
    func_name: procedure?.func_name || null,
    db_tls: procedure?.db_tls ?? null,
    db_ca: procedure?.db_ca || null,
    connect_timeout_ms: definition.connect_timeout_ms,
    answer_timeout_ms: definition.answer_timeout_ms,
    traffic_policy: policyColumn(definition, stored?.traffic_policy ?? null),
    tags: tagsColumn(definition.tags, stored?.tags),
    static_headers: http ? writeHeaders(http.static_headers, stored?.static_headers) : null,
  } satisfies Required<ApiColumns>
}

/** A name may be longer than that of a register. */
const registerNamedLike = ({ name }: ApiDefinition) =>
  name
    .slice(0, registerMax)
    .replace(/[\ud800-\udbff]$/, '')
    .trim()

/** Absent keeps what is stored. */
const offerColumn = ({ offer_to_agents }: ApiDefinition, stored?: Row<'api'>) =>
  offer_to_agents === undefined ? (stored?.offer_to_agents ?? 0) : offer_to_agents ? 1 : 0

/**
 * Absent keeps what is stored, as far as it can be read. A stored procedure keeps no part that needs
 * an upstream over HTTP.
 */
function policyColumn(definition: ApiDefinition, stored: string | null): string | null {
  const policy =
    definition.traffic_policy === undefined
      ? (readPolicy(stored) ?? noTrafficPolicy)
      : definition.traffic_policy
  const isApplicable = policy === null || definition.api_protocol === 'http'
  return writeTrafficPolicy(isApplicable ? policy : procedurePolicy(policy))
}

/** Fields that are stored with their secrets apart. */
type SignInField = 'password' | 'credential' | 'test_credential' | 'tls'

type Stored<Definition> = Required<
  Omit<
    Definition,
    | SignInField
    | 'document_register'
    | 'offer_to_agents'
    | 'static_headers'
    | 'traffic_policy'
    | 'tags'
    | 'version'
  >
> & {
  document_register: string
  offer_to_agents: boolean
  tags: string[]
  /** Null while every part is off; undefined where it can't be read. */
  traffic_policy: TrafficPolicy | null | undefined
}

/** A definition as it is stored, without its secrets. */
export type StoredApi =
  // Undefined where it can't be read.
  | (Stored<HttpApiDefinition> & { static_headers: NamedValue[] | undefined })
  | Stored<ProcedureApiDefinition>

/** The definition of a row. Everything that shows, restores or publishes an API starts from it. */
export function fromColumns(row: Row<'api'>): StoredApi {
  const common = {
    name: row.name,
    authentication: row.authentication === 1,
    auth_type: row.auth_type,
    gateway_status: row.gateway_status,
    api_access: row.api_access,
    offer_to_agents: row.offer_to_agents === 1,
    document_register: row.document_register,
    connect_timeout_ms: row.connect_timeout_ms,
    answer_timeout_ms: row.answer_timeout_ms,
    traffic_policy: readPolicy(row.traffic_policy),
    tags: readTags(row.tags),
  }
  if (row.api_protocol === 'http') {
    return {
      ...common,
      api_protocol: 'http',
      api_url: row.api_url ?? '',
      test_api_url: row.test_api_url ?? '',
      static_headers: readHeaders(row.static_headers),
    }
  }
  return {
    ...common,
    api_protocol: 'stored_procedure',
    // No definition without driver and port is saved.
    driver: row.driver!,
    port: row.port!,
    host: row.host ?? '',
    database: row.database ?? '',
    username: row.username ?? '',
    func_name: row.func_name ?? '',
    db_tls: row.db_tls,
    db_ca: row.db_ca ?? '',
  }
}

function readPolicy(stored: string | null): TrafficPolicy | null | undefined {
  try {
    return stored === null ? null : readTrafficPolicy(stored)
  } catch {
    return undefined
  }
}

/** What a form shows of the protocol that an API does not have. */
const blankFields = {
  api_url: '',
  test_api_url: '',
  driver: '',
  host: '',
  port: null,
  database: '',
  username: '',
  func_name: '',
  db_ca: '',
} satisfies Partial<SubmittedApi>

/** An API as people may see it: everything but its secrets. */
export function toSubmittedApi(row: Row<'api'>): SubmittedApi {
  const definition = fromColumns(row)
  const credential = shownCredentialOf(row, 'live')
  return {
    ...blankFields,
    ...definition,
    auth_type: definition.auth_type ?? '',
    db_tls: row.db_tls ?? '',
    traffic_policy: definition.traffic_policy ?? null,
    has_password: row.password_encrypted !== null,
    credential,
    test_credential: shownCredentialOf(row, 'test'),
    tls: shownTlsOf(row),
    static_headers: readHeaders(row.static_headers) ?? [],
    has_upstream_token: credential?.kind === 'bearer',
    client_authorities: shownAuthorities(definition.traffic_policy),
    context: row.context,
    version: row.version,
  }
}
