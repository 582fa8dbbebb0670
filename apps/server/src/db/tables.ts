import type { Generated, Insertable, Selectable, Updateable } from 'kysely'
import type {
  accesses,
  AuditThing,
  drivers,
  Effect,
  methods,
  Outcome,
  protocols,
  RunKind,
  RunState,
  statuses,
  StepState,
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
  upstream_token_encrypted: string | null
  connect_timeout_ms: number | null
  answer_timeout_ms: number | null
  version: number
  created_at: string
  updated_at: string
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
  version: number
  created_at: string
  updated_at: string
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
  /** JSON objects without secrets. */
  before: string | null
  after: string | null
}

export interface Database {
  user: UserTable
  role: RoleTable
  permission: PermissionTable
  role_permission: RolePermissionTable
  user_role: UserRoleTable
  session: SessionTable
  api: ApiTable
  endpoint: EndpointTable
  role_endpoint: RoleEndpointTable
  personal_token: PersonalTokenTable
  audit_event: AuditEventTable
  run: RunTable
  run_step: RunStepTable
  run_attempt: RunAttemptTable
}

export type Row<T extends keyof Database> = Selectable<Database[T]>
export type NewRow<T extends keyof Database> = Insertable<Database[T]>
export type RowChange<T extends keyof Database> = Updateable<Database[T]>
