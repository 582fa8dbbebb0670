import * as access from './access.ts'
import * as apis from './apis.ts'
import * as audit from './audit.ts'
import * as contexts from './contexts.ts'
import * as documents from './documents.ts'
import * as endpoints from './endpoints.ts'
import * as gateway from './gateway.ts'
import * as images from './images.ts'
import * as logs from './logs.ts'
import * as procedures from './procedures.ts'
import * as roles from './roles.ts'
import * as runHistory from './run-history.ts'
import * as runs from './runs.ts'
import * as session from './session.ts'
import * as tax from './tax.ts'
import * as tokens from './tokens.ts'
import * as traffic from './traffic.ts'
import * as tryIt from './try-it.ts'
import * as users from './users.ts'
import type { RouteKey } from './kernel/route.ts'

export * from './access.ts'
export * from './answer-rule.ts'
export * from './apis.ts'
export * from './audit.ts'
export * from './base-url.ts'
export * from './base64.ts'
export * from './context-path.ts'
export * from './download-cookie.ts'
export * from './contexts.ts'
export * from './database-drivers.ts'
export * from './documents.ts'
export * from './endpoint-path.ts'
export * from './endpoints.ts'
export * from './gateway-errors.ts'
export * from './gateway.ts'
export * from './images.ts'
export * from './latency-buckets.ts'
export * from './kernel/errors.ts'
export * from './kernel/fields.ts'
export * from './kernel/paging.ts'
export * from './kernel/permissions.ts'
export * from './kernel/route.ts'
export * from './procedures.ts'
export * from './qr-text.ts'
export * from './log-levels.ts'
export * from './logs.ts'
export * from './roles.ts'
export * from './run-settings.ts'
export * from './run-history.ts'
export * from './runs.ts'
export * from './session.ts'
export * from './snapshot.ts'
export * from './tax.ts'
export * from './tokens.ts'
export * from './traffic-policy-fields.ts'
export * from './traffic-policy-input.ts'
export * from './traffic.ts'
export * from './traffic-policy.ts'
export * from './try-it.ts'
export * from './users.ts'

/** Every call of the admin API. A sweep in the server's tests holds the mounted routes against it. */
export const routes = [
  session.login,
  session.currentUser,
  session.logout,
  session.listSessions,
  session.endSession,
  session.endOtherSessions,
  apis.listApis,
  apis.createApi,
  apis.editApi,
  apis.updateApi,
  apis.deleteApi,
  procedures.testConnection,
  procedures.testStoredConnection,
  procedures.runSample,
  procedures.runStoredSample,
  procedures.showProcedureContract,
  procedures.checkProcedureContract,
  procedures.acceptProcedureDrift,
  endpoints.listEndpoints,
  endpoints.endpointForm,
  endpoints.createEndpoint,
  endpoints.editEndpoint,
  endpoints.updateEndpoint,
  endpoints.deleteEndpoint,
  tryIt.tryEndpoint,
  contexts.listContexts,
  contexts.updateContext,
  runs.buildRequestForm,
  runs.getData,
  runs.prepareData,
  tax.taxForm,
  tax.creditForm,
  tax.sendTax,
  tax.previewTax,
  tax.sendCredit,
  tax.previewCredit,
  runHistory.listRuns,
  runHistory.unknownRuns,
  runHistory.runByKey,
  runHistory.showRun,
  runHistory.showAnswer,
  runHistory.runEvents,
  runHistory.resumeRun,
  runHistory.resolveRun,
  runHistory.closeRun,
  runHistory.queryStatus,
  runHistory.retryRun,
  documents.listDocuments,
  documents.showDocument,
  users.listUsers,
  users.userForm,
  users.createUser,
  users.editUser,
  users.updateUser,
  users.deleteUser,
  users.changePassword,
  roles.listRoles,
  roles.newRoleForm,
  roles.createRole,
  roles.editRole,
  roles.updateRole,
  roles.deleteRole,
  access.listAccess,
  access.editAccess,
  access.previewAccess,
  access.updateAccess,
  access.removeAccess,
  access.explainEndpoint,
  access.explainSubject,
  tokens.createToken,
  tokens.tokenForm,
  tokens.listTokens,
  tokens.revokeToken,
  audit.listAudit,
  audit.exportAudit,
  audit.restoreVersion,
  images.generateImage,
  logs.readLog,
  logs.downloadLog,
  gateway.showGateway,
  traffic.showTraffic,
] as const

/** Routes by name, for `call('POST /api/apis', …)` in the dashboard, which imports types only. */
export type Routes = { [R in (typeof routes)[number] as RouteKey<R>]: R }
