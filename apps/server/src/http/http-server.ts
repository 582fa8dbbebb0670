import { randomUUID } from 'node:crypto'
import type { RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import Fastify, {
  LogController,
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify'
import type { Logger } from 'pino'
import { adminPort } from './admin-port.ts'
import { answerError } from '../kernel/http/answer-error.ts'
import { AppError } from '../kernel/app-error.ts'
import { acceptOnlyJson } from '../kernel/json/json-body.ts'
import { endsByOddHead, refuseOddHeads } from '../kernel/http/refuse-odd-heads.ts'
import { validatorCompiler } from '../kernel/validation.ts'
import type { RefusalTrail } from '../features/audit/refusal-trail.ts'
import { answerRaw, isAnsweredRaw } from './raw-answer.ts'
import { contentSecurityPolicy, permissionsPolicy, securityHeaders } from './security-headers.ts'

/** Keeps refused attempts in the audit trail. */
type RecordRefusal = RefusalTrail['record']

/**
 * The bare server that all routes are mounted on: JSON only, security headers, request ids, one log
 * line a request, refusals in the audit trail. `serverFactory`: what listens; a port of its own unless given.
 */
export async function createHttpServer(
  log: Logger,
  trustedProxies: string[],
  keep: RecordRefusal,
  serverFactory: (handler: RequestListener) => Server = adminPort(log, trustedProxies),
): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    bodyLimit: 1024 * 1024,
    serverFactory: (handler) =>
      serverFactory(refuseOddHeads(handler, { log, headers: securityHeaders })),
    // No hook runs for a path that can't be decoded: the headers that hooks set elsewhere are set here.
    frameworkErrors: (error, request, reply) => {
      reply.headers({
        ...securityHeaders,
        'x-request-id': request.id,
        'cache-control': 'no-store',
      })
      answerError(error, request, reply)
    },
    clientErrorHandler: answerBrokenRequest,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  }) as unknown as FastifyInstance
  acceptOnlyJson(app)
  app.setValidatorCompiler(validatorCompiler)
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    await recordRefusal(keep, error, request)
    return answerError(error, request, reply)
  })
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: contentSecurityPolicy },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    // Sent where TLS ends in front of us; over plain HTTP browsers ignore it.
    strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
    xFrameOptions: { action: 'deny' },
  })
  await app.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: 1024,
    // Packed requests are refused: json-body.ts.
    globalDecompression: false,
  })
  // Its refusal was sent while the body arrived.
  app.addHook('preValidation', (request, reply, done) => {
    if (isAnsweredRaw(request.raw.socket)) reply.hijack()
    else done()
  })
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onSend', async (request, reply) => {
    // A connection kept alive would hold up the stop until it times out.
    if (isClosing) reply.header('connection', 'close')
    // Closing while bytes of the body are unread would reset the connection, and the client might lose the
    // answer (RFC 9112 §9.6). The rest is read and dropped, in the time that slow-bodies.ts leaves it.
    else if (!request.raw.complete) reply.removeHeader('connection')
    reply.header('x-request-id', request.id)
    reply.header('permissions-policy', permissionsPolicy)
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  app.addHook('onResponse', async (request, reply) => {
    // Following a log would make it grow with each look, and a page loads many files.
    const isAsset = request.url.startsWith('/assets/')
    const isRoutine = (isAsset || isFollowing(request.query)) && reply.statusCode < 400
    request.log[isRoutine ? 'debug' : 'info'](
      {
        request_id: request.id,
        method: request.method,
        path: loggedPath(request),
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime),
        user_id: request.caller?.user.id,
        token_id: request.caller?.tokenId,
        admin_token_id: request.caller?.adminToken?.id,
        address: request.ip,
      },
      'request',
    )
  })
  return app
}

/** Without the query: a fetch carries a token and a body there. No route has a longer path. */
const loggedPath = ({ url }: FastifyRequest) => url.slice(0, 1024).split('?')[0]

const isFollowing = (query: unknown) =>
  typeof query === 'object' && query !== null && 'follow' in query && query.follow === true

/** Answers what can't be parsed as HTTP in the shape of every refusal, and closes the connection. */
function answerBrokenRequest(
  error: NodeJS.ErrnoException & { rawPacket?: unknown },
  socket: Socket,
): void {
  if (isAnsweredRaw(socket) || endsByOddHead(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { rawPacket } = error
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1', 0, 1_024) : ''
  answerRaw(socket, 'request.malformed', brokenStatus(error.code, packet))
}

/** `packet`: what was read last, in which the fault is. */
function brokenStatus(code: string | undefined, packet: string): string {
  if (code === 'HPE_HEADER_OVERFLOW') return '431 Request Header Fields Too Large'
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return '408 Request Timeout'
  if (code === 'HPE_INVALID_VERSION' && / HTTP\/\d\.\d\r\n/.test(packet))
    return '505 HTTP Version Not Supported'
  if (code === 'HPE_INVALID_METHOD' && /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.\d\r\n/.test(packet))
    return '501 Not Implemented'
  return '400 Bad Request'
}

/** Keeps a refused attempt in the audit trail, with the text of its refusal. */
async function recordRefusal(
  keep: RecordRefusal,
  error: Error,
  request: FastifyRequest,
): Promise<void> {
  const { caller, id: requestId, ip: address } = request
  if (!caller || !(error instanceof AppError) || !(error.status === 403 || error.details.isAudited))
    return
  const name = `${request.method} ${loggedPath(request)}`
  try {
    await keep(
      { caller, requestId, address },
      {
        action: 'call.refused',
        outcome: 'refused',
        thing: 'call',
        name,
        after: { reason: error.message },
      },
    )
  } catch (cause) {
    request.log.error({ err: cause, request_id: requestId }, 'the refusal could not be audited')
  }
}
