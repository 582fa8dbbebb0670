import {
  createUpstream,
  type AddressGuard,
  type HttpUpstream,
  type ProcedureUpstream,
} from '@gatehouse/upstream'
import type { Logger } from 'pino'
import { serveDashboard } from './dashboard-files.ts'
import type { Db } from './db/connect.ts'
import { createAccess } from './features/access/create-access.ts'
import { isMoved, openPassword } from './features/apis/api-secrets.ts'
import { createApis } from './features/apis/create-apis.ts'
import { signInsOf, signInOf } from './features/apis/sign-in-of.ts'
import { createAudit } from './features/audit/create-audit.ts'
import { RefusalTrail } from './features/audit/refusal-trail.ts'
import { createBuildRequest } from './features/build-request/create-build-request.ts'
import { createBundles } from './features/bundles/create-bundles.ts'
import { createContexts } from './features/contexts/create-contexts.ts'
import { docsRoutes } from './features/docs/docs-routes.ts'
import { createDocuments } from './features/documents/create-documents.ts'
import { createEndpoints } from './features/endpoints/create-endpoints.ts'
import { createGateway } from './features/gateway/create-gateway.ts'
import { createImages } from './features/images/create-images.ts'
import { createLanes } from './features/lanes/create-lanes.ts'
import { LaneRates } from './features/lanes/lane-rates.ts'
import { createLogs } from './features/logs/create-logs.ts'
import { createProcedures } from './features/procedures/create-procedures.ts'
import { createRoles } from './features/roles/create-roles.ts'
import { createRuns } from './features/runs/create-runs.ts'
import { createSignIn } from './features/sign-in/create-sign-in.ts'
import { createSessions } from './features/session/create-sessions.ts'
import { callerOf } from './features/session/caller-of.ts'
import { holdUser, SessionCheck } from './features/session/session-check.ts'
import { createTokens } from './features/tokens/create-tokens.ts'
import { TokenCheck } from './features/tokens/token-check.ts'
import { createTraffic } from './features/traffic/create-traffic.ts'
import { createTryIt } from './features/try-it/create-try-it.ts'
import { createUsers } from './features/users/create-users.ts'
import { createWorkflows } from './features/workflows/definitions/create-workflows.ts'
import { inputProblems } from './features/workflows/definitions/input-schemas.ts'
import { referenceFor } from './features/workflows/openapi/workflow-reference.ts'
import { createBatches } from './features/workflows/batches/create-batches.ts'
import { createWorkflowRuns } from './features/workflows/runs/create-workflow-runs.ts'
import type { Caller } from './kernel/caller.ts'
import type { Clock } from './kernel/clock.ts'
import { installGuard } from './kernel/guard.ts'
import { noteHeldUp } from './kernel/held-up.ts'
import type { SecretBox } from './kernel/secret-box.ts'
import { createHttpServer } from './http-server.ts'
import type { GatewayLink } from './publishing/gateway-link.ts'
import { Publisher } from './publishing/publisher.ts'
import { createRestorers } from './restorers.ts'
import type { Settings } from './settings.ts'
import { createStores, inTransactionOn, readTogetherOn, type Stores } from './stores.ts'

interface AppOptions {
  db: Db
  /** Where long reads go, so that they hold up no other call. */
  readers: Db
  clock: Clock
  log: Logger
  /** The log of the runs. */
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
export async function createApp(options: AppOptions) {
  const { db, clock, log, secrets, guard, gateway, settings, version } = options
  const stores = createStores(db, clock)
  // Lists, searches and exports of tables that only grow.
  const longReads = createStores(options.readers, clock)
  const { databaseUrl, gatewayUrl, sessionIdleMs, sessionMaxMs } = settings
  const signIn = createSignIn({
    stores,
    secrets,
    upstream: options.upstream,
    clock,
    log,
    owner: options.instanceId,
    targetOf: async ({ apiId, which }) => {
      const api = await stores.apis.find(apiId)
      return api && signInOf(secrets, api, which)
    },
    listTargets: async () => signInsOf(secrets, await stores.apis.listAll()),
  })
  const publisher = new Publisher({
    db,
    clock,
    log,
    secrets,
    gateway,
    databaseUrl,
    onChange: () => signIn.service.forget(),
  })
  const check = new SessionCheck({ clock, idleMs: sessionIdleMs, maxMs: sessionMaxMs })
  const tokenCheck = new TokenCheck({ clock, holdUser })
  const again = (within: Stores, caller: Caller) =>
    (caller.tokenId === undefined ? check : tokenCheck).again(within, caller)
  const inTransaction = inTransactionOn(db, clock, {
    publish: async () => {
      signIn.service.forget()
      noteHeldUp(await publisher.publish())
    },
    judge: again,
  })
  const readTogether = readTogetherOn(db, clock)
  const common = { stores, inTransaction, readTogether, clock, log }

  const refusals = new RefusalTrail(stores.audit, log)
  const recordRefusal: RefusalTrail['record'] = (by, entry) => refusals.record(by, entry)
  const sessions = createSessions({ ...common, check, recordRefusal })
  const procedures = createProcedures({
    ...common,
    procedures: options.procedures,
    passwordOf: (api) => openPassword(secrets, api),
    isMoved,
  })
  const apis = createApis({
    apis: stores.apis,
    inTransaction,
    secrets,
    guard,
    clock,
    afterSave: (api) => procedures.contracts.afterSave(api),
  })
  const endpoints = createEndpoints({
    ...common,
    listApis: apis.listRecords,
    callingOf: (api) => apis.service.callingOf(api),
    procedureTargetOf: procedures.targetOf,
  })
  const contexts = createContexts({ inTransaction, clock, gatewayUrl })
  const rates = new LaneRates({
    inTransaction,
    clock,
    log: options.runLog,
    server: options.instanceId,
  })
  const runs = createRuns({
    ...common,
    upstream: createUpstream({
      http: options.upstream,
      procedures: options.procedures,
      onProcedureAnswered: procedures.observe,
    }),
    tokens: signIn.service,
    targets: endpoints.targets,
    log: options.runLog,
    owner: options.instanceId,
    dataDir: settings.dataDir,
    longReads: longReads.runHistory,
    unknownAlarmMinutes: settings.unknownAlarmMinutes,
    isSessionOpen: (sessionId) => sessions.service.isOpen(sessionId),
    callerOf: (userId) => callerOf(stores, userId),
    permitsOf: (workflowId) => rates.ofWorkflow(workflowId),
  })
  const lanes = createLanes({
    inTransaction,
    clock,
    log: options.runLog,
    rates,
    carrying: runs.carrying,
    readFigures: longReads.lanes.listFigures,
  })
  const users = createUsers({
    inTransaction,
    clock,
    confirmOwn: (current, actor) => sessions.service.confirmOwn(current, actor),
  })
  const roles = createRoles(inTransaction)
  const access = createAccess({
    inTransaction,
    clock,
    lockedFor: roles.lockedFor,
    removeRole: (userId, roleId, actor) => users.service.removeRole(userId, roleId, actor),
  })
  const workflows = createWorkflows({ ...runs.sending, clock })
  const restorers = createRestorers({
    apis: apis.service,
    contexts: contexts.service,
    endpoints: endpoints.service,
    roles: roles.service,
    workflows: workflows.service,
  })
  const audit = createAudit({ longReads: longReads.audit, restorers, refusals, clock })
  const tryIt = createTryIt({
    stores,
    gateway,
    getEndpoint: (id) => endpoints.service.getRoute(id),
    mayCall: (id, caller) => endpoints.targets.mayCall(id, caller),
    secretsOf: async (id) => {
      const endpoint = await stores.endpoints.find(id)
      return endpoint ? signIn.service.secretsAt({ apiId: endpoint.api_id, which: 'live' }) : []
    },
  })
  const gatewayState = createGateway({
    gateway,
    publisher,
    countUnknownRuns: stores.runs.countUnknown,
    measureLanes: () => lanes.service.measure(),
    settings,
    version,
  })
  const traffic = createTraffic({ inTransaction, clock, log, longReads: longReads.traffic })
  gateway?.onReport((report) => {
    traffic.recorder.record(report)
    gatewayState.record(report)
  })
  procedures.watch(gateway)
  signIn.supply(gateway)

  const ofWorkflows = {
    ...common,
    inputProblems,
    wake: (laneId: number) => lanes.dispatcher.wake(laneId),
  }
  const batches = createBatches({
    ...ofWorkflows,
    longReads: longReads.batches,
    owner: options.instanceId,
    dataDir: settings.dataDir,
    isSessionOpen: (sessionId) => sessions.service.isOpen(sessionId),
  })

  const app = await createHttpServer(log, settings.trustedProxies, recordRefusal)
  installGuard(app, {
    bySession: (token) => sessions.service.authenticate(token),
    byPersonalToken: (token) => tokenCheck.authenticate(stores, token),
    byDownloadCookie: (value) => sessions.service.authenticateDownload(value),
    again: (caller) => readTogether((together) => again(together, caller)),
  })
  await docsRoutes(app, version, (caller) => referenceFor(stores, caller))
  const features = [
    gatewayState,
    sessions,
    apis,
    signIn,
    endpoints,
    procedures,
    contexts,
    createBuildRequest(runs.sending),
    createBundles({ ...runs.sending, history: stores.runHistory }),
    runs,
    lanes,
    createDocuments(longReads.documents),
    workflows,
    batches,
    createWorkflowRuns({
      ...ofWorkflows,
      feed: runs.carrying.feed,
      recheck: (caller) => again(stores, caller),
    }),
    users,
    roles,
    access,
    createTokens(inTransaction, clock),
    audit,
    createImages(),
    createLogs({ stores, clock, settings }),
    tryIt,
    traffic,
  ]
  for (const feature of features) feature.mountOn(app)
  await serveDashboard(app, options.dashboardFolder)
  return {
    app,
    refusals,
    contracts: procedures.contracts,
    ledger: runs.ledger,
    /** To be started before the server listens; it stops with the app. */
    runKeeper: runs.keeper,
    /** Start it after the keeper of the runs; it stops with the app. */
    dispatcher: lanes.dispatcher,
    laneQueue: lanes.queue,
    polls: runs.polls,
    /** Start them before the server listens; they stop with the app. */
    batches,
    publisher,
    traffic: traffic.recorder,
  }
}
