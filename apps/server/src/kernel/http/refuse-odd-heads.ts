import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isHostField } from '@gatehouse/upstream/http'
import type { Logger } from 'pino'

type Head = Pick<IncomingMessage, 'rawHeaders' | 'httpVersion' | 'url' | 'method'>

/**
 * Refuses, before anybody routes it, a request whose head two readers could understand differently, with a 400 that
 * ends the connection, as the gateway does. A proxy before us may have gone by the other of two hosts or lengths.
 */
export function refuseOddHeads(handler: RequestListener, using: Refusing): RequestListener {
  return (request, response) => {
    // What comes behind such a head is no request.
    if (refused.has(request.socket)) return void request.resume()
    const message = oddityOf(request)
    if (message === undefined) return handler(request, response)
    refused.add(request.socket)
    refuse(request, response, request.httpVersionMajor > 1 ? 505 : 400, { message, ...using })
  }
}

const refused = new WeakSet<Socket>()

/** It ends with the refusal of an odd head: nothing more is said on it. */
export const endsByOddHead = (socket: Socket): boolean => refused.has(socket)

interface Refusing {
  readonly log: Logger
  /** What every answer has. */
  readonly headers: Readonly<Record<string, string>>
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  { message, log, headers }: Refusing & { message: string },
): void {
  const requestId = randomUUID()
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    ...headers,
    'cache-control': 'no-store',
    'x-request-id': requestId,
    connection: 'close',
  })
  response.end(JSON.stringify({ message, code: 'request.malformed', request_id: requestId }))
  const address = request.socket.remoteAddress
  log.info(
    { request_id: requestId, method: request.method, status, address, reason: message },
    'request',
  )
}

function oddityOf({ rawHeaders, httpVersion, url = '', method }: Head): string | undefined {
  // Node's parser also takes 2.0, and lines without a version.
  if (!httpVersion.startsWith('1.')) return 'This is another version of HTTP.'
  let host: string | undefined
  let hosts = 0
  let types = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const value = rawHeaders[at + 1] ?? ''
    switch (rawHeaders[at]!.toLowerCase()) {
      case 'host':
        host = value
        hosts++
        break
      case 'content-type':
        if (++types > 1) return 'Send one Content-Type header.'
        break
      case 'content-length':
        if (!/^(?:0|[1-9]\d{0,14})$/.test(value)) return 'The Content-Length is not a length.'
        break
      case 'transfer-encoding':
        if (value.toLowerCase() !== 'chunked' || httpVersion === '1.0')
          return 'The body has a transfer coding other than chunked.'
    }
  }
  // RFC 9112 §3.2.
  if (hosts > 1) return 'Send one Host header.'
  if (host === undefined && httpVersion !== '1.0') return 'Send a Host header.'
  if (host !== undefined && !isHostField(host)) return 'The Host header is not a host.'
  return targetOddity(url, method, host)
}

/** RFC 9112 §3.2.1 to §3.2.4: a path, a URL of our host, or the `*` of OPTIONS. */
function targetOddity(
  url: string,
  method: string | undefined,
  host: string | undefined,
): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(url) || url.includes('#')) return 'The target holds what it may not.'
  if (url.startsWith('/') || (url === '*' && method === 'OPTIONS')) return undefined
  const named = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1]
  if (named === undefined) return 'The target is neither a path nor a URL.'
  if (named.toLowerCase() !== host?.toLowerCase())
    return 'The target names another host than the Host header.'
  return undefined
}
