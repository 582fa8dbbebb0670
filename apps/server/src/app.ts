import { hostname } from 'node:os'
import { createCore, type AppCore, type AppOptions } from './app-core.ts'
import { isPostgres } from './db/dialect.ts'
import { reachOf } from './db/postgres/pooled-dialect.ts'
import { serveDashboard } from './http/dashboard-files.ts'
import { createAccess } from './features/access/create-access.ts'
import { isMoved, openPassword } from './features/apis/api-secrets.ts'
import { createApis } from './features/apis/create-apis.ts'
import { createAudit } from './features/audit/create-audit.ts'
import { RefusalTrail } from './features/audit/refusal-trail.ts'
import { createConfiguration } from './features/configuration/create-configuration.ts'
import { createContexts } from './features/contexts/create-contexts.ts'
import { docsRoutes } from './features/docs/docs-routes.ts'
import { createEndpoints } from './features/endpoints/create-endpoints.ts'
import { createFirstSteps } from './features/first-steps/create-first-steps.ts'
import { createGateway } from './features/gateway/create-gateway.ts'
import { createGatewayRequests } from './features/gateway-requests/create-gateway-requests.ts'
import { createHome } from './features/home/create-home.ts'
import { createInstallationHold } from './features/installation-hold/create-installation-hold.ts'
import { createImages } from './features/images/create-images.ts'
import { createLogs } from './features/logs/create-logs.ts'
import { createNodes } from './features/nodes/create-nodes.ts'
import { goneAfterMs } from './features/nodes/node-seat.ts'
import { nodesHeard } from './features/nodes/nodes-heard.ts'
import { createProcedures } from './features/procedures/create-procedures.ts'
import { createRoles } from './features/roles/create-roles.ts'
import { createTokenUsage } from './features/tokens/create-token-usage.ts'
import { createTokens } from './features/tokens/create-tokens.ts'
import { visibleOwners } from './features/tokens/token-reach.ts'
import { createTrail } from './features/trail/create-trail.ts'
import { createTraffic } from './features/traffic/create-traffic.ts'
import { referenceFor } from './features/workflows/openapi/workflow-reference.ts'
import { installGuard } from './kernel/guard.ts'
import { createHttpServer } from './http/http-server.ts'
import { createConsumerDocsFeature } from './wiring/consumer-docs-feature.ts'
import { createImportFeature } from './wiring/import-features.ts'
import { createRemoteGateways } from './wiring/remote-gateways.ts'
import { createRestorers } from './wiring/restorers.ts'
import { putFile } from './http/put-file.ts'
import { createRunFeatures } from './wiring/run-features.ts'
import { createTryItFeature } from './wiring/try-it-feature.ts'
import { createUnattendedFeatures } from './wiring/unattended-features.ts'
import { createUserFeatures } from './wiring/user-features.ts'

/** The composition root: the admin API and the dashboard, wired and ready to listen. */
export async function createApp(options: AppOptions) {
  const core = createCore(options)
  const { stores, readTogether } = core.common
  const refusals = new RefusalTrail(stores.audit, options.log)
  const recordRefusal: RefusalTrail['record'] = (by, entry) => refusals.record(by, entry)
  const people = createUserFeatures(core, options, refusals)
  const { sessions } = people
  const wired = createFeatures(core, options, { people, refusals })

  const { log, settings, serverFactory } = options
  const app = await createHttpServer(log, settings.trustedProxies, recordRefusal, serverFactory)
  installGuard(app, {
    bySession: (token) => sessions.service.authenticate(token),
    byPersonalToken: (token, call) => core.tokenCheck.authenticate(stores, token, call),
    byAdminToken: (token) => core.adminTokenCheck.authenticate(stores, token),
    byDownloadCookie: (value) => sessions.service.authenticateDownload(value),
    again: (caller) => readTogether((together) => core.again(together, caller)),
  })
  await docsRoutes(app, options.version, (caller) => referenceFor(stores, caller))
  for (const feature of wired.features) feature.mountOn(app)
  await serveDashboard(app, options.dashboardFolder)
  const { runs, lanes, batches } = wired.sending
  return {
    app,
    refusals,
    contracts: wired.contracts,
    ledger: runs.ledger,
    /** To be started before the server listens; it stops with the app. */
    runKeeper: runs.keeper,
    /** Start it after the keeper of the runs; it stops with the app. */
    dispatcher: lanes.dispatcher,
    laneQueue: lanes.queue,
    /** Reads back bodies and answers that went to the archive. */
    archived: wired.sending.archived.bodies,
    polls: runs.polls,
    healing: runs.healing,
    /** Undefined where spans of runs are off. */
    runSpans: wired.sending.spans,
    /** Start them before the server listens; they stop with the app. */
    batches,
    /** To be started after the dispatcher; it stops with the app. */
    unattended: wired.unattended,
    publisher: core.publisher,
    /** Whether everything that is sent without a person is held. */
    hold: wired.hold,
    /** What was sent since a backup is entered at a start, before anything is sent. */
    sentSince: wired.sentSince,
    /** Start it before the server listens; it stops with the app. */
    sample: wired.sample,
    /** Start it first, stop it last. */
    nodes: wired.nodes.keeper,
    traffic: wired.traffic,
    tokenUsage: wired.tokenUsage,
    /** Start it once the node has its identity; undefined where no gateway can run alone. */
    remoteGateways: wired.remoteGateways,
  }
}

/** Makes every feature, and hands to each what it needs of others. */
function createFeatures(
  core: AppCore,
  options: AppOptions,
  { people, refusals }: { people: ReturnType<typeof createUserFeatures>; refusals: RefusalTrail },
) {
  const { common, longReads, signIn, publisher } = core
  const { stores, inTransaction, clock, log } = common
  const { secrets, gateway, settings, version } = options
  const procedures = createProcedures({
    ...common,
    procedures: options.procedures,
    passwordOf: (api) => openPassword(secrets, api),
    isMoved,
  })
  const apis = createApis({
    ...common,
    apis: stores.apis,
    secrets,
    guard: options.guard,
    gatewayUrl: settings.gatewayUrl,
    afterSave: (api) => procedures.contracts.afterSave(api),
  })
  const endpoints = createEndpoints({
    ...common,
    listApis: apis.listRecords,
    callingOf: (api) => apis.service.callingOf(api),
    procedureTargetOf: procedures.targetOf,
  })
  const contexts = createContexts({ inTransaction, clock, gatewayUrl: settings.gatewayUrl })
  const sending = createRunFeatures(core, options, {
    sessions: people.sessions,
    endpoints,
    procedures,
  })
  const hold = createInstallationHold({
    ...common,
    dataDir: settings.dataDir,
    putFile,
    instanceId: options.instanceId,
    journal: sending.journal,
  })
  const unattended = createUnattendedFeatures({ core, options, sending, hold: hold.watch })
  const roles = createRoles(inTransaction)
  const access = createAccess({
    inTransaction,
    clock,
    lockedFor: roles.lockedFor,
    removeRole: (userId, roleId, actor) => people.users.service.removeRole(userId, roleId, actor),
  })
  const restorers = createRestorers({
    apis: apis.service,
    contexts: contexts.service,
    endpoints: endpoints.service,
    roles: roles.service,
    workflows: sending.workflows.service,
  })
  const tokens = createTokens(inTransaction, clock, secrets)
  const tryIt = createTryItFeature(core, options, { apis, endpoints, roles, tokens })
  const gatewayState = createGateway({
    gateway,
    publisher,
    holding: hold.watch,
    sumGateways: () => nodes.sumGateways(),
    isDatabaseAway: () => reachOf(options.db)?.awayBecause !== undefined,
    isStoreFull: () => nodes.isStoreFull(),
    isLeaving: options.isLeaving,
    countUnknownRuns: stores.runs.countUnknown,
    measureLanes: () => sending.lanes.service.measure(),
    measureDeliveries: () => unattended.deliveries.service.measure(),
    measureAlarms: () => unattended.alarms.service.measure(),
    lostSpans: sending.spans && (() => sending.spans?.lost ?? 0),
    settings,
    version,
  })
  const nodes = createNodes({
    stores,
    clock,
    log,
    isAlone: !isPostgres(options.db),
    instanceId: options.instanceId,
    place: options.place ?? '',
    name: hostname(),
    version,
    role: settings.role,
    publisher,
    gateway,
    clockOffset: options.clockOffset,
    sealsWith: options.sealsWith,
    ends: options.ends,
    dataDir: settings.dataDir,
  })
  const traffic = createTraffic({
    inTransaction,
    clock,
    log,
    longReads: longReads.traffic,
    visibleOwners,
    listNodes: async () => nodesHeard(await stores.nodes.list(), clock.now(), goneAfterMs),
  })
  const tokenUsage = createTokenUsage({ ...common, db: options.db, gateway })
  gateway?.onReport(async (report) => {
    traffic.recorder.record(report)
    gatewayState.record(report)
    void unattended.issuerKeys.hurry(report.unknown_keys)
    // A quota holds over an end of this process too.
    await tokenUsage.keep(report.quota_uses, report.at?.slice(0, 10))
  })
  procedures.watch(gateway)
  const remoteGateways = createRemoteGateways({
    core,
    settings,
    recorder: traffic.recorder,
    tokenUsage,
    onUnknownKeys: (issuers) => void unattended.issuerKeys.hurry(issuers),
    onProcedureSeen: procedures.compare,
  })
  signIn.supply(gateway)
  const firstSteps = createFirstSteps({
    ...common,
    reads: longReads.firstSteps,
    guard: options.guard,
    hasGateway: gateway !== undefined,
    createApi: (definition, actor) => apis.service.create(definition, actor),
    createEndpoint: (definition, actor) => endpoints.service.create(definition, actor),
  })
  const features = [
    gatewayState,
    ...people.features,
    apis,
    signIn,
    endpoints,
    procedures,
    contexts,
    ...sending.features,
    ...unattended.features,
    unattended,
    hold,
    roles,
    access,
    tokens,
    createAudit({ longReads: longReads.audit, restorers, refusals, clock }),
    createImages(),
    createLogs({ stores, clock, settings, otherServers: nodes.otherServers }),
    createGatewayRequests({
      stores,
      clock,
      settings,
      server: hostname(),
      otherServers: remoteGateways ? nodes.otherWholeServers : nodes.otherServers,
      loneGateways: nodes.loneGateways,
      questions: remoteGateways?.questions,
    }),
    tryIt,
    createImportFeature(core, options),
    createConsumerDocsFeature(core, options),
    createConfiguration(),
    createTrail(),
    traffic,
    nodes,
    createHome(
      {
        home: longReads.home,
        counts: longReads.documentCounts,
        runs: longReads.runHistory,
      },
      clock,
    ),
    firstSteps,
  ]
  return {
    features,
    sample: firstSteps.sample,
    hold: hold.watch,
    sentSince: hold.sentSince,
    sending,
    unattended,
    nodes,
    contracts: procedures.contracts,
    traffic: traffic.recorder,
    tokenUsage,
    remoteGateways: remoteGateways?.reports,
  }
}
