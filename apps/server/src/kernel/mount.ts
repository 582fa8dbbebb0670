import {
  routeNames,
  type Access,
  type FileAnswer,
  type HandlerInput,
  type HandlerOutput,
  type Route,
} from '@gatehouse/contract'
import type { ExactJson } from '@gatehouse/contract/mapping'
import { addressOf, isSecure } from './http/client-address.ts'
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySerializerCompiler,
} from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { AppError } from './app-error.ts'
import type { Caller } from './caller.ts'
import { keptText } from './http/exact-body.ts'
import { watchForce } from './http/held-up.ts'
import { stringifyAnswer } from './json/json-text.ts'
import { sendFile } from './http/send-file.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    hasDownloadCookie?: boolean
    opensToTokens?: boolean
    hasRawBody?: boolean
  }
  interface FastifyRequest {
    caller?: Caller
  }
}

/** What a handler receives of the call beside its parsed input. */
export interface CallContext<C = Caller> {
  caller: C
  requestId: string
  address: string
  /** See `Actor`. */
  traceparent?: string | undefined
  /** Aborted when the caller has gone away before the answer was sent. */
  signal: AbortSignal
  /** The call came over TLS, according to our socket or a trusted proxy. */
  isSecure: boolean
  /** The body as it was sent, where the route has `hasExactBody`: its numbers are exact. */
  bodyText: string
  /** A request header, by its name in small letters. */
  header: (name: string) => string | undefined
  setHeader: (name: string, value: string) => void
  /** Does this once the answer was sent, or its caller has gone. It has to handle its failures. */
  afterAnswer: (work: () => Promise<void>) => void
  /** Answers with the route's other status of success. */
  setStatus: (status: 200 | 202) => void
}

type ContextOf<R extends Route> = CallContext<R['access'] extends 'public' ? undefined : Caller>

/**
 * Serves a route of the contract: checks who calls, parses what they sent, answers with the route's
 * status. The answer is checked against the response schema, so that no undeclared field is sent.
 */
export function mount<R extends Route>(
  app: FastifyInstance,
  route: R,
  handler: (input: HandlerInput<R>, context: ContextOf<R>) => Promise<HandlerOutput<R>>,
): void {
  const status = route.status ?? 200
  app.route({
    method: route.method,
    url: route.path,
    // A HEAD request would start a file or a stream that no client reads.
    ...(route.isFile ? { exposeHeadRoute: false } : {}),
    config: {
      access: route.access,
      hasDownloadCookie: route.hasDownloadCookie ?? false,
      hasExactBody: route.hasExactBody ?? false,
      opensToTokens: route.opensToTokens ?? false,
      hasRawBody: route.hasRawBody ?? false,
    } satisfies FastifyContextConfig,
    ...(route.bodyLimitBytes ? { bodyLimit: route.bodyLimitBytes } : {}),
    schema: {
      tags: [route.tag],
      summary: route.summary,
      ...nameOf(route),
      security: route.access === 'public' ? [] : securityOf(route),
      ...(route.params ? { params: route.params } : {}),
      ...(route.query ? { querystring: route.query } : {}),
      ...(route.body ? { body: route.body } : {}),
      ...(route.response || route.isFile
        ? {
            response: {
              [status]: responseOf(route),
              ...(route.alsoStatus ? { [route.alsoStatus]: responseOf(route) } : {}),
            },
          }
        : {}),
    },
    serializerCompiler: (route.hasExactNumbers
      ? exactSerializer
      : serializerCompiler) as FastifySerializerCompiler<unknown>,
    handler: async (request, reply) => {
      const input = {
        params: request.params,
        query: request.query,
        body: route.hasRawBody ? rawBodyOf(request) : request.body,
      } as HandlerInput<R>
      reply.code(status)
      const context = contextOf(request, reply) as ContextOf<R>
      const { answer, heldUpBy } = await watchForce<unknown>(() => handler(input, context))
      if (heldUpBy !== undefined) throw notInForce(route, answer, heldUpBy)
      return route.isFile ? sendFile(reply, answer as FileAnswer) : reply.send(answer)
    },
  })
}

/** No 2xx for a change that is not in force. The change is saved, so the answer holds its usual result. */
function notInForce({ response }: Route, answer: unknown, heldUpBy: string): AppError {
  return new AppError('gateway.not_in_force', {
    message: `Saved, but not in force yet: ${heldUpBy}`,
    extra: { saved: response ? response.parse(answer) : null },
  })
}

/** Routes of tests have no name. */
function nameOf(route: Route): { operationId?: string } {
  const operationId = routeNames.get(route)
  return operationId === undefined ? {} : { operationId }
}

const securityOf = ({ opensToTokens }: Route) =>
  opensToTokens ? [{ personal_token: [] }, { bearer: [] }] : [{ bearer: [] }]

/** The text of a raw body. Throws a 400 where the request has none. */
function rawBodyOf({ body }: FastifyRequest): string {
  if (typeof body === 'string') return body
  throw new AppError('request.malformed', { message: 'Send JSON: the request has no body.' })
}

/** What a route answers with. A file is sent unchanged: its schema is only for the API reference. */
function responseOf({ response, isFile, answers, summary }: Route) {
  if (!isFile) return response
  const type = answers ?? 'application/octet-stream'
  return { description: summary, content: { [type]: { schema: z.file() } } }
}

/** Numbers are sent as they were written. */
const exactSerializer = () => (answer: unknown) => stringifyAnswer(answer as ExactJson)

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

function contextOf(request: FastifyRequest, reply: FastifyReply): CallContext<Caller | undefined> {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  return {
    caller: request.caller,
    requestId: request.id,
    address: addressOf(request.ip),
    traceparent: headerOf(request, 'traceparent'),
    signal: gone.signal,
    bodyText: keptText(request),
    isSecure: isSecure(request),
    header: (name) => headerOf(request, name),
    setHeader: (name, value) => void reply.header(name, value),
    afterAnswer: (work) => void reply.raw.once('close', () => void work()),
    setStatus: (status) => void reply.code(status),
  }
}
