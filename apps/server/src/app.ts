import type { AddressGuard, HttpUpstream, ProcedureUpstream } from '@gatehouse/upstream'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { serveDashboard } from './dashboard-files.ts'
import type { Db } from './db/connect.ts'
import type { Row } from './db/tables.ts'
import { AccessService } from './features/access/access-service.ts'
import { accessRoutes } from './features/access/access-routes.ts'
import { AccessExplainer } from './features/access/explain-access.ts'
import { isMoved, openPassword } from './features/apis/api-secrets.ts'
import { apiRoutes } from './features/apis/api-routes.ts'
import { ApiService } from './features/apis/api-service.ts'
import { toApiRecord } from './features/apis/submitted-api.ts'
import { auditRoutes } from './features/audit/audit-routes.ts'
import { AuditService } from './features/audit/audit-service.ts'
import { RefusalTrail } from './features/audit/refusal-trail.ts'
import { contextRoutes } from './features/contexts/context-routes.ts'
import { ContextService } from './features/contexts/context-service.ts'
import { docsRoutes } from './features/docs/docs-routes.ts'
import { CallTargets } from './features/endpoints/call-targets.ts'
import { endpointRoutes } from './features/endpoints/endpoint-routes.ts'
import { EndpointService } from './features/endpoints/endpoint-service.ts'
import { gatewayRoutes } from './features/gateway/gateway-routes.ts'
import { healthRoutes } from './features/gateway/health-routes.ts'
import { metricsRoutes } from './features/gateway/metrics-routes.ts'
import { RequestMetrics } from './features/gateway/request-metrics.ts'
import { logRoots } from './features/logs/log-listing.ts'
import { LogReader } from './features/logs/log-reader.ts'
import { logRoutes } from './features/logs/log-routes.ts'
import { LogService } from './features/logs/log-service.ts'
import { imageRoutes } from './features/images/image-routes.ts'
import { ImageService } from './features/images/image-service.ts'
import { lockedFor, RoleService } from './features/roles/role-service.ts'
import { ConnectionService } from './features/procedures/connection-service.ts'
import { ContractService } from './features/procedures/contract-service.ts'
import { watchForDrift } from './features/procedures/drift-watch.ts'
import { createRunUpstream } from './features/procedures/procedure-exchange.ts'
import { procedureRoutes } from './features/procedures/procedure-routes.ts'
import { procedureUrl } from './features/procedures/procedure-url.ts'
import { roleRoutes } from './features/roles/role-routes.ts'
import { createRuns } from './features/runs/create-runs.ts'
import { documentRoutes } from './features/runs/document-routes.ts'
import { DocumentService } from './features/runs/document-service.ts'
import type { Ledger } from './features/runs/ledger.ts'
import type { RunKeeper } from './features/runs/run-keeper.ts'
import { sessionRoutes } from './features/session/session-routes.ts'
import { SessionCheck } from './features/session/session-check.ts'
import { SessionService } from './features/session/session-service.ts'
import { tokenRoutes } from './features/tokens/token-routes.ts'
import { TokenService } from './features/tokens/token-service.ts'
import { TrafficRecorder } from './features/traffic/traffic-recorder.ts'
import { trafficRoutes } from './features/traffic/traffic-routes.ts'
import { TrafficService } from './features/traffic/traffic-service.ts'
import { tryItRoutes } from './features/try-it/try-it-routes.ts'
import { TryItService } from './features/try-it/try-it-service.ts'
import { userRoutes } from './features/users/user-routes.ts'
import { UserService } from './features/users/user-service.ts'
import type { Clock } from './kernel/clock.ts'
import { installGuard } from './kernel/guard.ts'
import { noteHeldUp } from './kernel/held-up.ts'
import type { SecretBox } from './kernel/secret-box.ts'
import { createHttpServer } from './http-server.ts'
import type { GatewayLink } from './publishing/gateway-link.ts'
import { Publisher } from './publishing/publisher.ts'
import { createRestorers } from './restorers.ts'
import type { Settings } from './settings.ts'
import { createStores, inTransactionOn } from './stores.ts'

export interface AppOptions {
  db: Db
  /** Where long reads go, so that they hold up nobody. */
  readers: Db
  clock: Clock
  log: Logger
  /** What runs tell of themselves. */
  runLog: Logger
  secrets: SecretBox
  guard: AddressGuard
  upstream: HttpUpstream
  procedures: ProcedureUpstream
  /** Undefined: this server runs no gateway. */
  gateway: GatewayLink | undefined
  settings: Settings
  instanceId: string
  version: string
  dashboardFolder: string
}

/** The composition root: the admin API and the dashboard, wired and ready to listen. */
export async function createApp(options: AppOptions): Promise<{
  app: FastifyInstance
  refusals: RefusalTrail
  contracts: ContractService
  ledger: Ledger
  /** To be started before the server listens; it stops with the app. */
  runKeeper: RunKeeper
  publisher: Publisher
  traffic: TrafficRecorder
}> {
  const { db, clock, secrets, guard, upstream, settings } = options
  const stores = createStores(db, clock)
  // Lists, searches and exports of what grows without end.
  const longReads = createStores(options.readers, clock)
  const { gateway, log } = options
  const { databaseUrl } = settings
  const publisher = new Publisher({ db, clock, log, secrets, gateway, databaseUrl })
  const check = new SessionCheck({
    clock,
    idleMs: settings.sessionIdleMs,
    maxMs: settings.sessionMaxMs,
  })
  const inTransaction = inTransactionOn(db, clock, {
    publish: async () => noteHeldUp(await publisher.publish()),
    judge: (within, caller) => check.again(within, caller),
  })
  const database = {
    procedures: options.procedures,
    findApi: stores.apis.find,
    passwordOf: (api: Row<'api'>) => openPassword(secrets, api),
  }
  const contracts = new ContractService({
    ...database,
    store: stores.procedures,
    inTransaction,
    clock,
    log: options.log,
  })
  const apis = new ApiService({
    apis: stores.apis,
    inTransaction,
    secrets,
    guard,
    clock,
    afterSave: (api) => contracts.afterSave(api),
  })
  const endpoints = new EndpointService({
    endpoints: stores.endpoints,
    countHolders: stores.access.countHolders,
    inTransaction,
    clock,
  })
  const contexts = new ContextService(inTransaction, clock)
  const refusals = new RefusalTrail(stores.audit, log)
  const sessions = new SessionService({
    stores,
    inTransaction,
    clock,
    check,
    recordRefusal: (by, entry) => refusals.record(by, entry),
  })
  const targets = new CallTargets({
    endpoints: stores.endpoints,
    findApi: stores.apis.find,
    upstreamTokenOf: (api) => apis.upstreamTokenOf(api),
    procedureUrlOf: procedureUrl,
  })
  const runs = createRuns({
    stores,
    inTransaction,
    clock,
    upstream: createRunUpstream({
      ...database,
      http: upstream,
      observe: (apiId, answered) => contracts.observe(apiId, answered),
    }),
    targets,
    log: options.runLog,
    owner: options.instanceId,
    dataDir: settings.dataDir,
    longReads: longReads.runHistory,
    unknownAlarmMinutes: settings.unknownAlarmMinutes,
    isSessionOpen: (sessionId) => sessions.isOpen(sessionId),
  })

  const users = new UserService(inTransaction, clock, (current, actor) =>
    sessions.confirmOwn(current, actor),
  )
  const roles = new RoleService(inTransaction)
  const access = new AccessService({ inTransaction, lockedFor })
  const tokens = new TokenService(inTransaction, clock)
  const audit = new AuditService(
    longReads.audit,
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

  const app = await createHttpServer(options.log, settings.trustedProxies, (by, entry) =>
    refusals.record(by, entry),
  )
  installGuard(app, {
    byToken: (token) => sessions.authenticate(token),
    byDownloadCookie: (value) => sessions.authenticateDownload(value),
    again: (caller) => check.again(stores, caller),
  })
  await docsRoutes(app, options.version)
  healthRoutes(app, publisher, options.version)
  sessionRoutes(app, sessions)
  apiRoutes(app, apis)
  endpointRoutes(app, endpoints, async () => (await apis.listAll()).map(toApiRecord))
  procedureRoutes(
    app,
    new ConnectionService({
      ...database,
      isMoved,
      record: (actor, action, apiId, name) =>
        stores.audit.record(actor, { action, thing: 'api', id: apiId ?? null, name }),
    }),
    contracts,
  )
  contextRoutes(app, contexts, settings.gatewayUrl)
  runs.mountOn(app)
  documentRoutes(app, new DocumentService(longReads.documents))
  userRoutes(app, users)
  roleRoutes(app, roles)
  accessRoutes(app, access, new AccessExplainer(inTransaction, clock), (userId, roleId, actor) =>
    users.removeRole(userId, roleId, actor),
  )
  tokenRoutes(app, tokens, clock)
  auditRoutes(app, audit, clock)
  imageRoutes(app, new ImageService())
  logRoutes(app, logs)
  tryItRoutes(
    app,
    new TryItService({
      gateway,
      getEndpoint: (id) => endpoints.getRoute(id),
      mayCall: (id, caller) => targets.mayCall(id, caller),
      record: (actor, id, name) =>
        stores.audit.record(actor, { action: 'endpoint.try', thing: 'endpoint', id, name }),
    }),
  )
  gatewayRoutes(app, () => publisher.status(), settings.gatewayUrl)
  const traffic = new TrafficRecorder({ inTransaction, clock, log })
  trafficRoutes(app, new TrafficService(longReads.traffic, clock))
  const requestMetrics = new RequestMetrics(() => publisher.snapshot)
  gateway?.onReport((report) => {
    traffic.record(report)
    requestMetrics.record(report)
  })
  gateway?.onProcedureSeen((apiId, seen) => {
    contracts.observe(apiId, seen).catch((error: unknown) => {
      log.error({ err: error, api_id: apiId }, 'the contract lock could not compare')
    })
  })
  metricsRoutes(app, {
    token: settings.metricsToken,
    host: settings.host,
    requests: requestMetrics,
    workers: () => gateway?.workers() ?? [],
    published: publisher,
    countUnknownRuns: stores.runs.countUnknown,
  })
  app.addHook('onClose', () => logReader.close())
  app.addHook('onClose', () => refusals.flush())
  watchForDrift(app, contracts, clock, log)
  await serveDashboard(app, options.dashboardFolder)
  return {
    app,
    refusals,
    contracts,
    ledger: runs.ledger,
    runKeeper: runs.keeper,
    publisher,
    traffic,
  }
}
