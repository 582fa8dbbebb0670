import { randomUUID } from 'node:crypto'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import type { AddressGuard, HttpUpstream } from '@gatehouse/upstream'
import Fastify, { LogController, type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { serveDashboard } from './dashboard-files.ts'
import type { Db } from './db/connect.ts'
import { apiRoutes, toApiRecord } from './features/apis/api-routes.ts'
import { ApiService } from './features/apis/api-service.ts'
import { contextRoutes } from './features/contexts/context-routes.ts'
import { ContextService } from './features/contexts/context-service.ts'
import { docsRoutes } from './features/docs/docs-routes.ts'
import { CallTargets } from './features/endpoints/call-targets.ts'
import { endpointRoutes } from './features/endpoints/endpoint-routes.ts'
import { EndpointService } from './features/endpoints/endpoint-service.ts'
import { buildRequestRoutes } from './features/runs/build-request-routes.ts'
import { BuildRequestService } from './features/runs/build-request-service.ts'
import { Ledger } from './features/runs/ledger.ts'
import { sessionRoutes } from './features/session/session-routes.ts'
import { SessionService } from './features/session/session-service.ts'
import { answerError } from './kernel/answer-error.ts'
import type { Clock } from './kernel/clock.ts'
import { installGuard } from './kernel/guard.ts'
import { acceptOnlyJson } from './kernel/json-body.ts'
import type { SecretBox } from './kernel/secret-box.ts'
import { validatorCompiler } from './kernel/validation.ts'
import { contentSecurityPolicy, permissionsPolicy } from './security-headers.ts'
import type { Settings } from './settings.ts'
import { createStores, inTransactionOn } from './stores.ts'

export interface AppOptions {
  db: Db
  clock: Clock
  log: Logger
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
  const stores = createStores(db)
  const inTransaction = inTransactionOn(db)
  const ledger = new Ledger(inTransaction, clock, options.instanceId)
  const apis = new ApiService({ apis: stores.apis, inTransaction, secrets, guard, clock })
  const endpoints = new EndpointService({ endpoints: stores.endpoints, inTransaction, clock })
  const contexts = new ContextService(inTransaction, clock)
  const sessions = new SessionService({
    sessions: stores.sessions,
    users: stores.users,
    clock,
    idleMs: settings.sessionIdleMs,
    maxMs: settings.sessionMaxMs,
  })
  const targets = new CallTargets({
    endpoints: stores.endpoints,
    findApi: stores.apis.find,
    upstreamTokenOf: (api) => apis.upstreamTokenOf(api),
  })
  const buildRequests = new BuildRequestService({ targets, ledger, upstream })

  const app = await createHttpServer(options)
  installGuard(app, (token) => sessions.authenticate(token))
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
  await serveDashboard(app, options.dashboardFolder)
  return { app, ledger }
}

async function createHttpServer({ log, settings }: AppOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: settings.trustedProxies.length > 0 ? settings.trustedProxies : false,
    bodyLimit: 1024 * 1024,
    // A query string carries the body of a fetch (spec §7), which needs more than Node's 16 KiB.
    http: { maxHeaderSize: 96 * 1024 },
    requestTimeout: 60_000,
    keepAliveTimeout: 30_000,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  }) as unknown as FastifyInstance
  acceptOnlyJson(app)
  app.setValidatorCompiler(validatorCompiler)
  app.setErrorHandler(answerError)
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: contentSecurityPolicy },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    // Sent where TLS ends in front of us; over plain HTTP browsers ignore it.
    strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
    xFrameOptions: { action: 'deny' },
  })
  await app.register(compress, { encodings: ['br', 'gzip'], threshold: 1024 })
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onSend', async (request, reply) => {
    // A connection kept alive would hold up the stop until it times out.
    if (isClosing) reply.header('connection', 'close')
    reply.header('x-request-id', request.id)
    reply.header('permissions-policy', permissionsPolicy)
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  app.addHook('onResponse', async (request, reply) => {
    // The path without its query: a fetch carries a token and a body there.
    request.log.info(
      {
        request_id: request.id,
        method: request.method,
        path: request.url.split('?')[0],
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime),
        user_id: request.caller?.user.id,
        address: request.ip,
      },
      'request',
    )
  })
  return app
}
