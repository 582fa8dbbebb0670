import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'

/** What an upstream and a receiver of messages do, by path. */
const answers: Record<string, (request: IncomingMessage, response: ServerResponse) => unknown> = {
  '/hello': (_, response) => response.end('"hello"'),
  '/events': streamEvents,
  '/large': sendLarge,
  '/upload': async (request, response) => {
    let bytes = 0
    for await (const chunk of request) bytes += (chunk as Buffer).length
    response.end(JSON.stringify({ bytes }))
  },
  // Half an answer.
  '/cut': (_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half')
    setTimeout(() => response.destroy(), 20)
  },
  '/documents': takeWhole,
  '/receiver': takeWhole,
}

export const largeBytes = 4 * 1024 * 1024
const eventsOfStream = 40
const eventEveryMs = 250

async function streamEvents(_: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let event = 0; event < eventsOfStream && !response.destroyed; event++) {
    response.write(`data: ${event}\n\n`)
    await delay(eventEveryMs)
  }
  response.end()
}

/** Waits for its reader. */
function sendLarge(_: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  response.writeHead(200, { 'content-length': String(largeBytes) })
  return pipeline(
    Readable.from(Array.from({ length: largeBytes / chunk.length }, () => chunk)),
    response,
  )
}

function takeWhole(request: IncomingMessage, response: ServerResponse): void {
  request.resume().on('end', () => response.end('{"status":"accepted"}'))
}

const refuse = (_: IncomingMessage, response: ServerResponse) => response.writeHead(404).end()

/** An upstream of the soak, in this process. */
export async function runSoakUpstream(): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const answer = answers[new URL(request.url ?? '/', 'http://upstream').pathname] ?? refuse
    // A client that goes away ends its request, not the upstream.
    void Promise.resolve(answer(request, response)).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
