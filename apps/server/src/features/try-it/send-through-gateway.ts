import http from 'node:http'
import https from 'node:https'

interface GatewayRequest {
  method: string
  url: URL
  headers: readonly (readonly [string, string])[]
  body: string
}

export interface GatewayAnswer {
  status: number
  headers: [string, string][]
  body: string
  bodyBytes: number
  isWhole: boolean
}

/** Longer than any answer time-out of an API: the gateway itself answers before. */
const timeoutMs = 620_000
const readMaxBytes = 4 * 1024 * 1024

/**
 * Sends one request to our own gateway. Its certificate is not checked: it holds the name that
 * clients use, and the request never leaves the machine. Rejects where no answer comes.
 */
export function sendThroughGateway(
  request: GatewayRequest,
  shownBytes: number,
  signal: AbortSignal,
): Promise<GatewayAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<GatewayAnswer>()
  const { method, url, body } = request
  const headers = request.headers.flat()
  if (body !== '') headers.push('content-length', String(Buffer.byteLength(body)))
  const options = {
    method,
    // Where a proxy on this machine is trusted, so is this server: it has to name the client.
    headers: ['host', url.host, 'x-forwarded-for', '127.0.0.1', ...headers],
    signal,
    timeout: timeoutMs,
    agent: false,
  }
  const call =
    url.protocol === 'https:'
      ? https.request(url, { ...options, rejectUnauthorized: false })
      : http.request(url, options)
  call.on('timeout', () => call.destroy(new Error('The gateway did not answer in time.')))
  call.on('error', reject)
  call.on('response', (response) => {
    readShown(response, shownBytes).then(
      (read) =>
        resolve({ ...read, status: response.statusCode ?? 0, headers: pairs(response.rawHeaders) }),
      reject,
    )
  })
  call.end(body)
  return promise
}

async function readShown(response: http.IncomingMessage, shownBytes: number) {
  const shown: Buffer[] = []
  let bodyBytes = 0
  let isWhole = true
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (bodyBytes < shownBytes) shown.push(chunk.subarray(0, shownBytes - bodyBytes))
      bodyBytes += chunk.length
      if (bodyBytes > readMaxBytes) break
    }
  } catch {
    // The gateway cut an answer that broke off upstream: what came is shown as such.
    isWhole = false
  }
  return {
    body: Buffer.concat(shown).toString('utf8'),
    bodyBytes,
    isWhole: isWhole && bodyBytes <= shownBytes,
  }
}

function pairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, at) => [
    raw[2 * at] ?? '',
    raw[2 * at + 1] ?? '',
  ])
}
