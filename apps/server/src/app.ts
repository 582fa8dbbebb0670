import type { AddressGuard, HttpUpstream } from '@gatehouse/upstream'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { serveDashboard } from './dashboard-files.ts'
import type { Db } from './db/connect.ts'
import { AccessService } from './features/access/access-service.ts'
import { accessRoutes } from './features/access/access-routes.ts'
import { AccessExplainer } from './features/access/explain-access.ts'
import { apiRoutes } from './features/apis/api-routes.ts'
import { ApiService } from './features/apis/api-service.ts'
import { toApiRecord } from './features/apis/submitted-api.ts'
import { auditRoutes } from './features/audit/audit-routes.ts'
import { AuditService } from './features/audit/audit-service.ts'
import { contextRoutes } from './features/contexts/context-routes.ts'
import { ContextService } from './features/contexts/context-service.ts'
import { docsRoutes } from './features/docs/docs-routes.ts'
import { CallTargets } from './features/endpoints/call-targets.ts'
import { endpointRoutes } from './features/endpoints/endpoint-routes.ts'
import { EndpointService } from './features/endpoints/endpoint-service.ts'
import { logRoots } from './features/logs/log-listing.ts'
import { LogReader } from './features/logs/log-reader.ts'
import { logRoutes } from './features/logs/log-routes.ts'
import { LogService } from './features/logs/log-service.ts'
import { imageRoutes } from './features/images/image-routes.ts'
import { ImageService } from './features/images/image-service.ts'
import { lockedFor, RoleService } from './features/roles/role-service.ts'
import { roleRoutes } from './features/roles/role-routes.ts'
import { buildRequestRoutes } from './features/runs/build-request-routes.ts'
import { BuildRequestService } from './features/runs/build-request-service.ts'
import { Ledger } from './features/runs/ledger.ts'
import { sessionRoutes } from './features/session/session-routes.ts'
import { SessionService } from './features/session/session-service.ts'
import { tokenRoutes } from './features/tokens/token-routes.ts'
import { TokenService } from './features/tokens/token-service.ts'
import { userRoutes } from './features/users/user-routes.ts'
import { UserService } from './features/users/user-service.ts'
import type { Clock } from './kernel/clock.ts'
import { installGuard } from './kernel/guard.ts'
import type { SecretBox } from './kernel/secret-box.ts'
import { createHttpServer } from './http-server.ts'
import { createRestorers } from './restorers.ts'
import type { Settings } from './settings.ts'
import { createStores, inTransactionOn } from './stores.ts'

export interface AppOptions {
  db: Db
  clock: Clock
  log: Logger
  /** What runs tell of themselves. */
  runLog: Logger
  secrets: SecretBox
  guard: AddressGuard
  upstream: HttpUpstream
  settings: Settings
  instanceId: string
  version: string
  dashboardFolder: string
}

/** The composition root: the admin API and the dashboard, wired and ready to listen. */
export async function createApp(
  options: AppOptions,
): Promise<{ app: FastifyInstance; ledger: Ledger }> {
  const { db, clock, secrets, guard, upstream, settings } = options
  const stores = createStores(db, clock)
  const inTransaction = inTransactionOn(db, clock)
  const ledger = new Ledger(inTransaction, clock, options.instanceId)
  const apis = new ApiService({ apis: stores.apis, inTransaction, secrets, guard, clock })
  const endpoints = new EndpointService({ endpoints: stores.endpoints, inTransaction, clock })
  const contexts = new ContextService(inTransaction, clock)
  const sessions = new SessionService({
    stores,
    inTransaction,
    clock,
    idleMs: settings.sessionIdleMs,
    maxMs: settings.sessionMaxMs,
  })
  const targets = new CallTargets({
    endpoints: stores.endpoints,
    findApi: stores.apis.find,
    upstreamTokenOf: (api) => apis.upstreamTokenOf(api),
  })
  const buildRequests = new BuildRequestService({
    targets,
    ledger,
    upstream,
    log: options.runLog,
  })

  const users = new UserService(inTransaction, clock)
  const roles = new RoleService(inTransaction)
  const access = new AccessService({ inTransaction, lockedFor })
  const tokens = new TokenService(inTransaction, clock)
  const audit = new AuditService(
    stores.audit,
    createRestorers({ apis, contexts, endpoints, roles }),
  )

  const logReader = new LogReader()
  const logs = new LogService({
    roots: logRoots(settings.dataDir, settings.logDirs),
    dataDir: settings.dataDir,
    reader: logReader,
    clock,
    record: (actor, action, name) => stores.audit.record(actor, { action, thing: 'log', name }),
  })

  const app = await createHttpServer(options.log, settings.trustedProxies, stores.audit)
  installGuard(app, {
    byToken: (token) => sessions.authenticate(token),
    byDownloadCookie: (value) => sessions.authenticateDownload(value),
  })
  await docsRoutes(app, options.version)
  app.get('/healthz', { config: { access: 'public' }, schema: { hide: true } }, async () => ({
    status: 'ok',
    version: options.version,
  }))
  sessionRoutes(app, sessions)
  apiRoutes(app, apis)
  endpointRoutes(app, endpoints, async () => (await apis.listAll()).map(toApiRecord))
  contextRoutes(app, contexts, settings.gatewayUrl)
  buildRequestRoutes(app, buildRequests)
  userRoutes(app, users)
  roleRoutes(app, roles)
  accessRoutes(app, access, new AccessExplainer(inTransaction, clock), (userId, roleId, actor) =>
    users.removeRole(userId, roleId, actor),
  )
  tokenRoutes(app, tokens, clock)
  auditRoutes(app, audit, clock)
  imageRoutes(app, new ImageService())
  logRoutes(app, logs)
  app.addHook('onClose', () => logReader.close())
  await serveDashboard(app, options.dashboardFolder)
  return { app, ledger }
}
