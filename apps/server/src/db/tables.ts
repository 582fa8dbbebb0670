import type { Insertable, Selectable, Updateable } from 'kysely'
import { alarm, alarmChannel, alarmMute, alarmRule } from './tables/alarms.ts'
import { api, apiDraft } from './tables/apis.ts'
import {
  archiveFile,
  archiveRound,
  archiveRun,
  archiveSetting,
  archiveSize,
} from './tables/archive.ts'
import { auditEvent } from './tables/audit.ts'
import { backup } from './tables/backups.ts'
import type { TableOf } from './tables/column.ts'
import { delivery } from './tables/deliveries.ts'
import { docsLink } from './tables/docs-links.ts'
import { hook, hookReceipt } from './tables/hooks.ts'
import { document, documentQuarter, documentChange, documentStep } from './tables/documents.ts'
import { endpoint } from './tables/endpoints.ts'
import { gatewayAccount, gatewayConfig, gatewayToken } from './tables/gateway-accounts.ts'
import { healingStep, pendingPoll, pendingStep, verdictWatch } from './tables/pending.ts'
import { procedureContract } from './tables/procedures.ts'
import {
  reconciliation,
  reconciliationLine,
  reconciliationResult,
} from './tables/reconciliations.ts'
import { deletion } from './tables/deletions.ts'
import { savedMapping } from './tables/saved-mappings.ts'
import { permission, role, roleEndpoint, rolePermission, userRole } from './tables/people/roles.ts'
import { run, runAttempt, runRelease, runStep } from './tables/runs.ts'
import {
  configChange,
  configRevision,
  duty,
  installationHold,
  keyCheck,
  node,
  sampleService,
} from './tables/server.ts'
import { schedule, scheduleFiring, scheduleItem } from './tables/schedules.ts'
import { searchProgress, searchTodo, searchWord } from './tables/search.ts'
import { passkey, passkeyChallenge } from './tables/people/passkeys.ts'
import { passwordLink } from './tables/people/password-links.ts'
import { codeFailure, recoveryCode, secondFactor } from './tables/people/second-factor.ts'
import { loginFailure, session } from './tables/people/sessions.ts'
import { signInToken } from './tables/sign-in.ts'
import { signOnProvider, signOnRole, userIdentity } from './tables/people/sign-on.ts'
import { tokenIssuer, tokenIssuerRole } from './tables/people/token-issuers.ts'
import { adminToken, personalToken, tokenUsage, toolUsage } from './tables/people/tokens.ts'
import { traffic } from './tables/traffic.ts'
import { user, userLanguage } from './tables/people/users.ts'
import {
  batch,
  batchInput,
  lane,
  laneEntry,
  laneRate,
  roleWorkflow,
  runInput,
  workflow,
  workflowCallback,
  workflowEndpoint,
  workflowVersion,
} from './tables/workflows.ts'

export { bucketColumns } from './tables/traffic.ts'

/**
 * The schema as the migrations leave it. Flags are 0 or 1 and times are ISO 8601 text in UTC, because
 * both databases know these alike. A test compares this with a migrated database.
 */
export interface Database {
  user: TableOf<typeof user>
  role: TableOf<typeof role>
  permission: TableOf<typeof permission>
  role_permission: TableOf<typeof rolePermission>
  user_role: TableOf<typeof userRole>
  user_language: TableOf<typeof userLanguage>
  password_link: TableOf<typeof passwordLink>
  passkey: TableOf<typeof passkey>
  passkey_challenge: TableOf<typeof passkeyChallenge>
  code_failure: TableOf<typeof codeFailure>
  second_factor: TableOf<typeof secondFactor>
  recovery_code: TableOf<typeof recoveryCode>
  session: TableOf<typeof session>
  login_failure: TableOf<typeof loginFailure>
  sign_in_token: TableOf<typeof signInToken>
  api: TableOf<typeof api>
  api_draft: TableOf<typeof apiDraft>
  key_check: TableOf<typeof keyCheck>
  endpoint: TableOf<typeof endpoint>
  procedure_contract: TableOf<typeof procedureContract>
  role_endpoint: TableOf<typeof roleEndpoint>
  personal_token: TableOf<typeof personalToken>
  token_usage: TableOf<typeof tokenUsage>
  tool_usage: TableOf<typeof toolUsage>
  token_issuer: TableOf<typeof tokenIssuer>
  token_issuer_role: TableOf<typeof tokenIssuerRole>
  admin_token: TableOf<typeof adminToken>
  sign_on_provider: TableOf<typeof signOnProvider>
  sign_on_role: TableOf<typeof signOnRole>
  user_identity: TableOf<typeof userIdentity>
  audit_event: TableOf<typeof auditEvent>
  config_revision: TableOf<typeof configRevision>
  config_change: TableOf<typeof configChange>
  gateway_account: TableOf<typeof gatewayAccount>
  gateway_config: TableOf<typeof gatewayConfig>
  gateway_token: TableOf<typeof gatewayToken>
  delivery: TableOf<typeof delivery>
  hook: TableOf<typeof hook>
  hook_receipt: TableOf<typeof hookReceipt>
  duty: TableOf<typeof duty>
  alarm: TableOf<typeof alarm>
  alarm_rule: TableOf<typeof alarmRule>
  alarm_mute: TableOf<typeof alarmMute>
  alarm_channel: TableOf<typeof alarmChannel>
  traffic_minute: TableOf<typeof traffic>
  traffic_hour: TableOf<typeof traffic>
  traffic_day: TableOf<typeof traffic>
  run: TableOf<typeof run>
  run_step: TableOf<typeof runStep>
  run_attempt: TableOf<typeof runAttempt>
  document: TableOf<typeof document>
  document_step: TableOf<typeof documentStep>
  document_quarter: TableOf<typeof documentQuarter>
  document_change: TableOf<typeof documentChange>
  pending_poll: TableOf<typeof pendingPoll>
  pending_step: TableOf<typeof pendingStep>
  verdict_watch: TableOf<typeof verdictWatch>
  healing_step: TableOf<typeof healingStep>
  lane: TableOf<typeof lane>
  lane_entry: TableOf<typeof laneEntry>
  lane_rate: TableOf<typeof laneRate>
  node: TableOf<typeof node>
  workflow: TableOf<typeof workflow>
  workflow_version: TableOf<typeof workflowVersion>
  workflow_callback: TableOf<typeof workflowCallback>
  workflow_endpoint: TableOf<typeof workflowEndpoint>
  role_workflow: TableOf<typeof roleWorkflow>
  run_input: TableOf<typeof runInput>
  run_release: TableOf<typeof runRelease>
  batch: TableOf<typeof batch>
  batch_input: TableOf<typeof batchInput>
  reconciliation: TableOf<typeof reconciliation>
  reconciliation_result: TableOf<typeof reconciliationResult>
  reconciliation_line: TableOf<typeof reconciliationLine>
  saved_mapping: TableOf<typeof savedMapping>
  deletion: TableOf<typeof deletion>
  docs_link: TableOf<typeof docsLink>
  schedule: TableOf<typeof schedule>
  schedule_firing: TableOf<typeof scheduleFiring>
  schedule_item: TableOf<typeof scheduleItem>
  search_todo: TableOf<typeof searchTodo>
  search_word: TableOf<typeof searchWord>
  search_progress: TableOf<typeof searchProgress>
  archive_setting: TableOf<typeof archiveSetting>
  archive_round: TableOf<typeof archiveRound>
  archive_size: TableOf<typeof archiveSize>
  archive_file: TableOf<typeof archiveFile>
  archive_run: TableOf<typeof archiveRun>
  backup: TableOf<typeof backup>
  sample_service: TableOf<typeof sampleService>
  installation_hold: TableOf<typeof installationHold>
}

/** The columns of each table. */
export const tables = {
  user,
  role,
  permission,
  role_permission: rolePermission,
  user_role: userRole,
  user_language: userLanguage,
  password_link: passwordLink,
  passkey,
  passkey_challenge: passkeyChallenge,
  code_failure: codeFailure,
  second_factor: secondFactor,
  recovery_code: recoveryCode,
  login_failure: loginFailure,
  session,
  sign_in_token: signInToken,
  api,
  api_draft: apiDraft,
  key_check: keyCheck,
  endpoint,
  procedure_contract: procedureContract,
  role_endpoint: roleEndpoint,
  personal_token: personalToken,
  token_usage: tokenUsage,
  tool_usage: toolUsage,
  token_issuer: tokenIssuer,
  token_issuer_role: tokenIssuerRole,
  admin_token: adminToken,
  sign_on_provider: signOnProvider,
  sign_on_role: signOnRole,
  user_identity: userIdentity,
  audit_event: auditEvent,
  config_revision: configRevision,
  config_change: configChange,
  gateway_account: gatewayAccount,
  gateway_config: gatewayConfig,
  gateway_token: gatewayToken,
  delivery,
  hook,
  hook_receipt: hookReceipt,
  duty,
  alarm,
  alarm_rule: alarmRule,
  alarm_mute: alarmMute,
  alarm_channel: alarmChannel,
  traffic_minute: traffic,
  traffic_hour: traffic,
  traffic_day: traffic,
  run,
  run_step: runStep,
  run_attempt: runAttempt,
  document,
  document_step: documentStep,
  document_quarter: documentQuarter,
  document_change: documentChange,
  pending_poll: pendingPoll,
  pending_step: pendingStep,
  verdict_watch: verdictWatch,
  healing_step: healingStep,
  lane,
  lane_entry: laneEntry,
  lane_rate: laneRate,
  node,
  workflow,
  workflow_version: workflowVersion,
  workflow_callback: workflowCallback,
  workflow_endpoint: workflowEndpoint,
  role_workflow: roleWorkflow,
  run_input: runInput,
  run_release: runRelease,
  batch,
  batch_input: batchInput,
  reconciliation,
  reconciliation_result: reconciliationResult,
  reconciliation_line: reconciliationLine,
  saved_mapping: savedMapping,
  deletion,
  docs_link: docsLink,
  schedule,
  schedule_firing: scheduleFiring,
  schedule_item: scheduleItem,
  search_todo: searchTodo,
  search_word: searchWord,
  search_progress: searchProgress,
  archive_setting: archiveSetting,
  archive_round: archiveRound,
  archive_size: archiveSize,
  archive_file: archiveFile,
  archive_run: archiveRun,
  backup,
  sample_service: sampleService,
  installation_hold: installationHold,
} satisfies { [Name in keyof Database]: object }

export type Row<T extends keyof Database> = Selectable<Database[T]>
export type NewRow<T extends keyof Database> = Insertable<Database[T]>
export type RowChange<T extends keyof Database> = Updateable<Database[T]>
