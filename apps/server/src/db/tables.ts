import type { Generated, Insertable, Selectable, Updateable } from 'kysely'
import type {
  accesses,
  AttemptKind,
  AuditThing,
  DriftKind,
  DocumentKind,
  DocumentState,
  drivers,
  Effect,
  methods,
  Outcome,
  protocols,
  RunKind,
  RunState,
  statuses,
  StepState,
  TlsMode,
} from '@gatehouse/contract'

// The schema as the migrations leave it. Flags are 0 or 1, times ISO 8601 text in UTC: both
// databases speak that alike. A test holds this file against a migrated database.

export type Flag = 0 | 1

export interface UserTable {
  id: Generated<number>
  name: string
  email: string
  email_key: string
  username: string
  username_key: string
  password_hash: string | null
  version: Generated<number>
  created_at: string
  updated_at: string
}

export interface RoleTable {
  id: Generated<number>
  name: string
  name_key: string
  version: Generated<number>
}

export interface PermissionTable {
  id: Generated<number>
  name: string
}

export interface RolePermissionTable {
  role_id: number
  permission_id: number
}

export interface UserRoleTable {
  user_id: number
  role_id: number
}

export interface SessionTable {
  id: Generated<number>
  user_id: number
  token_hash: string
  /** Null in sessions from before there was a download cookie. */
  download_hash: string | null
  address: string
  /** What the browser called itself at the sign-in; blank in sessions from before it was kept. */
  user_agent: Generated<string>
  created_at: string
  last_used_at: string
  ended_at: string | null
}

export interface ApiTable {
  id: Generated<number>
  name: string
  name_key: string
  context: string
  api_protocol: (typeof protocols)[number]
  authentication: Flag
  auth_type: 'bearer_token' | null
  gateway_status: (typeof statuses)[number]
  api_access: (typeof accesses)[number]
  api_url: string | null
  test_api_url: string | null
  driver: (typeof drivers)[number] | null
  host: string | null
  port: number | null
  database: string | null
  username: string | null
  password_encrypted: string | null
  func_name: string | null
  /** Null: as the driver has it by default. */
  db_tls: TlsMode | null
  db_ca: string | null
  upstream_token_encrypted: string | null
  connect_timeout_ms: number | null
  answer_timeout_ms: number | null
  /** JSON; null while every part is off. */
  traffic_policy: string | null
  version: number
  created_at: string
  updated_at: string
}

/** One row; see app-key.ts. */
export interface KeyCheckTable {
  id: number
  check_value: string
  created_at: string
}

export interface EndpointTable {
  id: Generated<number>
  api_id: number
  method_type: (typeof methods)[number]
  status: (typeof statuses)[number]
  path: string
  /** The path without the names of its parameters. */
  path_key: string
  summary: string
  description: string
  /** Null while custom output is off. */
  custom_output: string | null
  authentication: Flag
  /** JSON; null means the settings that follow from the method. */
  run_settings: string | null
  /** The endpoint that the settings' status query asks. */
  status_endpoint_id: number | null
  version: number
  created_at: string
  updated_at: string
}

export interface ProcedureContractTable {
  api_id: number
  method: string
  /** JSON: a signature; the shapes of its record sets. */
  signature: string | null
  shapes: string | null
  locked_at: string | null
  /** JSON: signature, shapes and changes. */
  drift: string | null
  drift_kind: DriftKind | null
  drift_seen_at: string | null
  checked_at: string | null
  check_failure: string | null
}

export interface RoleEndpointTable {
  role_id: number
  endpoint_id: number
}

export interface RunTable {
  id: Generated<number>
  kind: RunKind
  state: RunState
  is_test: Flag
  idempotency_key: string | null
  content_sha256: string | null
  reference: string | null
  retry_of: number | null
  user_id: number
  user_name: string
  request_id: string
  created_at: string
  finished_at: string | null
  /** The server that carries the run out, and until when it is believed to. */
  lease_owner: string | null
  lease_until: string | null
  epoch: Generated<number>
  /** The idempotency key as the client sent it; `idempotency_key` holds it with user and kind. */
  client_key: string | null
  unknown_since: string | null
  alarmed_at: string | null
  /** Credit: the tax run of the document that it credits. */
  original_run_id: number | null
  is_dry_run: Generated<Flag>
  /** The run that was sent in its place. */
  overtaken_by: number | null
  closed_at: string | null
  closed_by_id: number | null
  closed_by_name: string | null
  closed_reason: string | null
  search_text: Generated<string>
}

export interface RunStepTable {
  id: Generated<number>
  run_id: number
  position: number
  endpoint_id: number
  endpoint_name: string
  effect: Effect
  state: StepState
  uuid: string
  method: string
  url: string
  /** JSON object, without secrets. */
  headers: string
  body: string | null
  /** As typed, before values of earlier answers; null in builds. */
  /** What was typed; null where it is the same as `body`. */
  source_body: string | null
  dependency_field: string | null
  /** Why the step is where it is, in words. */
  message: string | null
  not_before: string | null
  /** Null while method, URL, headers and body are not final. */
  frozen_at: string | null
  /** The step of an earlier run whose answer stands in. */
  reused_from: number | null
  /** In a dry run: resolved and checked, but not sent. */
  is_dry: Generated<Flag>
  has_credential: Generated<Flag>
  /** The run that holds the document which this step carries. */
  blocked_by: number | null
}

export interface RunAttemptTable {
  id: Generated<number>
  step_id: number
  number: number
  owner: string
  started_at: string
  finished_at: string | null
  outcome: Outcome | null
  error_code: string | null
  status: number | null
  answer_headers: string | null
  answer_body: string | null
  answer_bytes: number | null
  duration_ms: number | null
  kind: Generated<AttemptKind>
  user_id: number | null
  user_name: string | null
  note: string | null
  reference: string | null
  detail: string | null
  url: string | null
  /** What a status query said. */
  verdict: 'received' | 'not_received' | 'unclear' | null
  /** 1: this status query settled the step. */
  has_settled: Generated<Flag>
}

export interface DocumentTable {
  id: Generated<number>
  kind: DocumentKind
  is_test: Flag
  reference: string
  state: DocumentState
  run_id: number | null
  original_reference: string | null
  authority_reference: string | null
  qr: string | null
  created_at: string
  updated_at: string
}

export interface DocumentStepTable {
  document_id: number
  run_id: number
  position: number
  state: DocumentState
}

export interface PersonalTokenTable {
  id: Generated<number>
  user_id: number
  name: string
  token_hash: string
  /** The last four characters of the token. */
  ending: string
  created_by_id: number
  created_by_name: string
  created_at: string
  expires_at: string
  last_used_at: string | null
  revoked_at: string | null
}

export interface AuditEventTable {
  id: Generated<number>
  at: string
  actor_id: number | null
  actor: string
  address: string
  request_id: string
  action: string
  outcome: 'done' | 'refused'
  thing: AuditThing
  thing_id: number | null
  thing_name: string
  /** How often it happened: repeats of a refusal share one row. */
  times: Generated<number>
  /** JSON objects without secrets. */
  before: string | null
  after: string | null
}

/** One row. */
export interface ConfigRevisionTable {
  id: number
  /** Counted up by every change of what the gateway runs on. */
  revision: number
}

/** Counts of a latency histogram by the bounds of `latencyBucketsMs`, and what took longer. */
export const bucketColumns = [
  'b00',
  'b01',
  'b02',
  'b03',
  'b04',
  'b05',
  'b06',
  'b07',
  'b08',
  'b09',
  'b10',
  'b11',
  'b12',
  'b13',
  'b14',
  'b15',
  'b16',
  'b17',
  'b18',
  'b19',
  'b20',
  'b21',
  'b22',
  'b23',
  'b24',
  'b25',
  'b26',
  'b27',
  'b28',
  'b29',
  'b30',
] as const

/** What came through the gateway in one minute or hour; what is added at once adds up. */
export type TrafficTable = {
  at: string
  /** 0: no endpoint was met; -1: all requests together. */
  endpoint_id: number
  requests: number
  /** Answered 4xx. */
  refused: number
  /** Answered 5xx, or cut off. */
  errors: number
  bytes_in: number
  bytes_out: number
} & Record<(typeof bucketColumns)[number], number>

export interface Database {
  user: UserTable
  role: RoleTable
  permission: PermissionTable
  role_permission: RolePermissionTable
  user_role: UserRoleTable
  session: SessionTable
  api: ApiTable
  key_check: KeyCheckTable
  endpoint: EndpointTable
  procedure_contract: ProcedureContractTable
  role_endpoint: RoleEndpointTable
  personal_token: PersonalTokenTable
  audit_event: AuditEventTable
  config_revision: ConfigRevisionTable
  traffic_minute: TrafficTable
  traffic_hour: TrafficTable
  run: RunTable
  run_step: RunStepTable
  run_attempt: RunAttemptTable
  document: DocumentTable
  document_step: DocumentStepTable
}

export type Row<T extends keyof Database> = Selectable<Database[T]>
export type NewRow<T extends keyof Database> = Insertable<Database[T]>
export type RowChange<T extends keyof Database> = Updateable<Database[T]>
