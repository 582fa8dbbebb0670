import { Agent } from 'undici'
import { createGuardedConnector } from './connector.ts'
import type { ConnectorOptions } from './connector.ts'
import { UpstreamFailure } from './failures.ts'
import { toRequestHeaders } from './headers.ts'
import type { HttpAnswer, HttpRequest } from './http/http-answer.ts'
import { passOverInterim } from './http/pass-over-interim.ts'
import { secureContextOf, tlsKey } from './secure-context.ts'
import { HttpExchange } from './http/http-exchange.ts'

export const maxAnswerBytesDefault = 16 * 1024 * 1024
const maxAnswerHeadBytes = 16 * 1024

export interface HttpUpstream {
  /**
   * Sends a request once: no retry, no redirect, no proxy. Never throws; a failure is an answer.
   * Time, size and the addresses called are bounded, whatever the upstream does.
   */
  send(request: HttpRequest): Promise<HttpAnswer>
  /**
   * Takes no further calls, lets those under way finish, then closes all connections.
   * Takes as long as the slowest call under way. May be called again.
   */
  close(): Promise<void>
}

export type HttpUpstreamOptions = Omit<ConnectorOptions, 'connectTimeoutMs'>

export function createHttpUpstream(options: HttpUpstreamOptions): HttpUpstream {
  // A connector knows one connect time-out and one client certificate. Few are in use, and an idle agent
  // holds nothing.
  const agents = new Map<string, Agent>()
  let closing: Promise<unknown> | undefined

  function agentFor({ connectTimeoutMs, tls = null }: HttpRequest): Agent | UpstreamFailure {
    const key = `${connectTimeoutMs} ${tlsKey(tls)}`
    const known = agents.get(key)
    if (known) return known
    const context = secureContextOf(tls, options.ca)
    if (context instanceof UpstreamFailure) return context
    const secure = context === undefined ? {} : { secureContext: context }
    const agent = createAgent({ ...options, connectTimeoutMs, ...secure })
    agents.set(key, agent)
    return agent
  }

  async function send(request: HttpRequest): Promise<HttpAnswer> {
    const exchange = new HttpExchange({
      answerTimeoutMs: request.answerTimeoutMs,
      maxAnswerBytes: request.maxAnswerBytes ?? maxAnswerBytesDefault,
      signal: request.signal,
      maySend: request.maySend,
    })
    const target = checkTarget(request, options)
    if (target instanceof UpstreamFailure) exchange.fail(target)
    else if (closing) exchange.fail(new UpstreamFailure('aborted', 'upstream calls are closed'))
    if (exchange.isOver || target instanceof UpstreamFailure) return exchange.answer
    const agent = agentFor(request)
    if (agent instanceof UpstreamFailure) {
      exchange.fail(agent)
      return exchange.answer
    }
    agent.dispatch(
      {
        origin: target.url.origin,
        path: target.url.pathname + target.url.search,
        method: request.method,
        headers: target.headers,
        body: request.body ?? null,
      },
      exchange,
    )
    return exchange.answer
  }

  async function close() {
    closing ??= Promise.all(agents.values().map((agent) => agent.close()))
    await closing
  }

  return { send, close }
}

function createAgent(options: ConnectorOptions): Agent {
  const connect = createGuardedConnector(options)
  return new Agent({
    connect: (target, callback) =>
      connect(target, (...got) => {
        if (got[1] !== null) passOverInterim(got[1])
        callback(...got)
      }),
    // Over HTTP/2 undici queues again what a GOAWAY left open: a resend we could not see.
    allowH2: false,
    // One request per connection at a time: with pipelining, undici resends those queued behind a loss.
    pipelining: 1,
    // The exchange has one timer for the whole answer, which a dripping upstream cannot wind back.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: maxAnswerHeadBytes,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 60_000,
  })
}

function checkTarget(request: HttpRequest, { guard }: HttpUpstreamOptions) {
  const url = URL.parse(request.url)
  if (!url) return new UpstreamFailure('blocked_address', 'the address is not a URL')
  const refusal = guard.literalRefusal(url)
  if (refusal !== undefined) return new UpstreamFailure('blocked_address', refusal)
  const headers = toRequestHeaders(request.headers)
  if (!headers.ok) return new UpstreamFailure('protocol', headers.message)
  return { url, headers: headers.headers }
}
