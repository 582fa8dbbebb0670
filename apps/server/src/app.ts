import { hostname } from 'node:os'
import { createCore, type AppCore, type AppOptions } from './app-core.ts'
import { isPostgres } from './db/dialect.ts'
import { serveDashboard } from './dashboard-files.ts'
import { createAccess } from './features/access/create-access.ts'
import { isMoved, openPassword } from './features/apis/api-secrets.ts'
import { createApis } from './features/apis/create-apis.ts'
import { createAudit } from './features/audit/create-audit.ts'
import { RefusalTrail } from './features/audit/refusal-trail.ts'
import { createConfiguration } from './features/configuration/create-configuration.ts'
import { createContexts } from './features/contexts/create-contexts.ts'
import { docsRoutes } from './features/docs/docs-routes.ts'
import { bareEndpoint } from './features/endpoints/bare-endpoint.ts'
import { createEndpoints } from './features/endpoints/create-endpoints.ts'
import { createFirstSteps } from './features/first-steps/create-first-steps.ts'
import { createGateway } from './features/gateway/create-gateway.ts'
import { createGatewayRequests } from './features/gateway-requests/create-gateway-requests.ts'
import { createHome } from './features/home/create-home.ts'
import { drawQr } from './features/images/draw-qr.ts'
import { createImages } from './features/images/create-images.ts'
import { createLogs } from './features/logs/create-logs.ts'
import { createNodes } from './features/nodes/create-nodes.ts'
import { goneAfterMs } from './features/nodes/node-seat.ts'
import { nodesHeard } from './features/nodes/nodes-heard.ts'
import { createPasswordLinks } from './features/password-links/create-password-links.ts'
import { createPasskeys } from './features/passkeys/create-passkeys.ts'
import { createProcedures } from './features/procedures/create-procedures.ts'
import { createRoles } from './features/roles/create-roles.ts'
import { createSecondFactor } from './features/second-factor/create-second-factor.ts'
import {
  SecondFactorGate,
  type SecondFactorGateOptions,
} from './features/second-factor/second-factor-gate.ts'
import { createSessions } from './features/session/create-sessions.ts'
import { createSignOn } from './features/sign-on/create-sign-on.ts'
import { createAdminTokens } from './features/tokens/create-admin-tokens.ts'
import { createTokenUsage } from './features/tokens/create-token-usage.ts'
import { createTokens } from './features/tokens/create-tokens.ts'
import { createTraffic } from './features/traffic/create-traffic.ts'
import { createTryIt } from './features/try-it/create-try-it.ts'
import { createUsers } from './features/users/create-users.ts'
import { holdOther } from './features/users/user-checks.ts'
import { referenceFor } from './features/workflows/openapi/workflow-reference.ts'
import { installGuard } from './kernel/guard.ts'
import { createHttpServer } from './http-server.ts'
import { createConsumerDocsFeature } from './consumer-docs-feature.ts'
import { createImportFeature } from './import-features.ts'
import { createRemoteGateways } from './remote-gateways.ts'
import { servedUnsavedApi } from './publishing/served-unsaved-api.ts'
import { servedStored, servedUnsaved } from './publishing/snapshot-endpoint.ts'
import { createRestorers } from './restorers.ts'
import { createRunFeatures } from './run-features.ts'
import { createUnattendedFeatures } from './unattended-features.ts'

/** The composition root: the admin API and the dashboard, wired and ready to listen. */
export async function createApp(options: AppOptions) {
  const core = createCore(options)
  const { stores, readTogether } = core.common
  const refusals = new RefusalTrail(stores.audit, options.log)
  const recordRefusal: RefusalTrail['record'] = (by, entry) => refusals.record(by, entry)
  const secondStep = createGate({ ...core.common, secrets: options.secrets })
  const common = { ...core.common, check: core.check }
  const sessions = createSessions({ ...common, recordRefusal, secondStep })
  const wired = createFeatures(core, options, { sessions, secondStep, refusals })

  const app = await createHttpServer(options.log, options.settings.trustedProxies, recordRefusal)
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
    /** Undefined where spans of runs are off. */
    runSpans: wired.sending.spans,
    /** Start them before the server listens; they stop with the app. */
    batches,
    /** To be started after the dispatcher; it stops with the app. */
    unattended: wired.unattended,
    publisher: core.publisher,
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

interface SignInParts {
  sessions: ReturnType<typeof createSessions>
  secondStep: SecondFactorGate
  refusals: RefusalTrail
}

const qrSide = 240

const createGate = (options: Pick<SecondFactorGateOptions, 'secrets' | 'clock'>) =>
  new SecondFactorGate({ ...options, drawQr: (text) => drawQr(text, qrSide, qrSide) })

/** Makes every feature, and hands to each what it needs of others. */
function createFeatures(
  core: AppCore,
  options: AppOptions,
  { sessions, secondStep, refusals }: SignInParts,
) {
  const { common, longReads, signIn, publisher, mailer, notices } = core
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
  const sending = createRunFeatures(core, options, { sessions, endpoints, procedures })
  const unattended = createUnattendedFeatures({ core, options, sending })
  const passwordLinks = createPasswordLinks({
    ...common,
    mailer,
    publicUrl: settings.publicUrl,
    pauseMs: options.resetPauseMs,
    refuseUnreachable: (...given) => users.service.refuseUnreachable(...given),
  })
  const users = createUsers({
    inTransaction,
    clock,
    confirmOwn: (current, actor) => sessions.service.confirmOwn(current, actor),
    invitations: passwordLinks.invitations,
  })
  const secondFactor = createSecondFactor({
    inTransaction,
    clock,
    gate: secondStep,
    confirmOwn: (...given) => sessions.service.confirmOwn(...given),
    slowedDown: (actor, work) => sessions.service.slowedDown(actor, work),
    holdOther,
  })
  const passkeys = createPasskeys({
    ...common,
    secrets,
    publicUrl: settings.publicUrl,
    sessionMaxMs: settings.sessionMaxMs,
    recordRefusal: (by, entry) => refusals.record(by, entry),
    open: sessions.open,
    slowedDown: sessions.slowedDown,
    prove: (proof, actor, work) => secondFactor.service.prove(proof, actor, work),
    holdOther,
  })
  const signOn = createSignOn({
    ...common,
    secrets,
    upstream: options.upstream,
    sessionMaxMs: settings.sessionMaxMs,
    recordRefusal: (by, entry) => refusals.record(by, entry),
    open: sessions.open,
    slowedDown: sessions.slowedDown,
    resetsPasswords: mailer !== undefined,
    offerPasskeys: passkeys.offer,
  })
  const roles = createRoles(inTransaction)
  const access = createAccess({
    inTransaction,
    clock,
    lockedFor: roles.lockedFor,
    removeRole: (userId, roleId, actor) => users.service.removeRole(userId, roleId, actor),
  })
  const restorers = createRestorers({
    apis: apis.service,
    contexts: contexts.service,
    endpoints: endpoints.service,
    roles: roles.service,
    workflows: sending.workflows.service,
  })
  const tokens = createTokens(inTransaction, clock, secrets)
  const adminTokens = createAdminTokens({
    inTransaction,
    clock,
    prove: (proof, actor, work) => secondFactor.service.prove(proof, actor, work),
    refuseUnreachable: (...given) => users.service.refuseUnreachable(...given),
  })
  const tryIt = createTryIt({
    stores,
    tokenToTry: (id, actor) => tokens.service.toTry(id, actor),
    roleToTry: (id, actor) => roles.service.toTry(id, actor),
    gateway,
    getEndpoint: (id) => endpoints.service.getRoute(id),
    mayCall: (id, caller) => endpoints.targets.mayCall(id, caller),
    checkUnsaved: async (definition, id, actor) => {
      const { row, route, ...facts } = await endpoints.service.getUnsaved(definition, id, actor)
      return { ...route, ...facts, endpoint: servedUnsaved(row) }
    },
    secretsOf: async (apiId) => [
      ...(await signIn.service.secretsAt({ apiId, which: 'live' })),
      // The token that is tried may lead to the draft.
      ...(await apis.secretsOfDraft(apiId)),
    ],
    checkUnsavedApi: async (id, definition, actor) =>
      servedUnsavedApi(await apis.readUnsaved(id, definition, actor), {
        box: secrets,
        signIn: signIn.service,
      }),
    servedEndpoint: async (id) => servedStored(await endpoints.service.get(id)),
    bareEndpoint: (route) => servedUnsaved(bareEndpoint(route)),
    hasEndpoints: async (apiId) => (await stores.endpoints.listOfApis([apiId], 1)).length > 0,
  })
  const gatewayState = createGateway({
    gateway,
    publisher,
    sumGateways: () => nodes.sumGateways(),
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
    dataDir: settings.dataDir,
  })
  const traffic = createTraffic({
    inTransaction,
    clock,
    log,
    longReads: longReads.traffic,
    listNodes: async () => nodesHeard(await stores.nodes.list(), clock.now(), goneAfterMs),
  })
  const tokenUsage = createTokenUsage({ ...common, db: options.db, gateway })
  gateway?.onReport((report) => {
    traffic.recorder.record(report)
    tokenUsage.record(report.quota_uses)
    gatewayState.record(report)
    void unattended.issuerKeys.hurry(report.unknown_keys)
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
    sessions,
    secondFactor,
    passkeys,
    passwordLinks,
    notices,
    signOn,
    apis,
    signIn,
    endpoints,
    procedures,
    contexts,
    ...sending.features,
    ...unattended.features,
    unattended,
    users,
    roles,
    access,
    tokens,
    adminTokens,
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
    sending,
    unattended,
    nodes,
    contracts: procedures.contracts,
    traffic: traffic.recorder,
    tokenUsage,
    remoteGateways: remoteGateways?.reports,
  }
}
