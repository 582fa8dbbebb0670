import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  noTrafficPolicy,
  type ConfigSnapshot,
  type SnapshotApi,
  type TrafficPolicy,
} from '@gatehouse/contract/gateway'
import { Agent, request } from 'undici'
import { onTestFinished } from 'vitest'
import { createGateway } from '../../gateway.ts'
import { bareWorker } from '../../testing/bare-worker.ts'
import { buildApi, buildEndpoint, buildSnapshot } from '../../testing/build-snapshot.ts'
import { createTrafficPolicies, type SystemTools } from '../traffic-policies.ts'

export type Handler = (req: IncomingMessage, res: ServerResponse) => void

/** A server on a port of its own that remembers what reached it; closed with the test. */
export async function startUpstream(handler: Handler) {
  const seen: IncomingMessage[] = []
  const server = createServer({ keepAliveTimeout: 0 }, (req, res) => {
    seen.push(req)
    handler(req, res)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** An address where nothing listens. */
export async function closedPort(): Promise<string> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

/** One API at `/p` that calls `base_url`: `GET`, `POST` and `PUT` of `/a` and `/{id}/b`. */
export function snapshotWith(
  policy: Partial<TrafficPolicy>,
  api: Partial<SnapshotApi> = {},
): ConfigSnapshot {
  const methods = ['GET', 'POST', 'PUT'] as const
  const paths = ['/a', '/{id}/b']
  return buildSnapshot({
    apis: [
      buildApi({
        name: 'P',
        context: 'p',
        base_url: 'http://127.0.0.1:9',
        connect_timeout_ms: 10_000,
        answer_timeout_ms: 10_000,
        policy: { ...noTrafficPolicy, ...policy },
        ...api,
      }),
    ],
    endpoints: paths.flatMap((path, place) =>
      methods.map((method, at) =>
        buildEndpoint({
          id: place * methods.length + at + 1,
          name: `${method} ${path}`,
          method,
          path,
        }),
      ),
    ),
    tokens: [],
    access: [],
    super_admin_role_id: null,
  })
}

interface Asked {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS'
  path?: string
  headers?: Record<string, string>
  body?: string | Buffer | AsyncIterable<Buffer>
}

/** A whole gateway with the policies under test. Time stands still but for what a test moves. */
export async function startGateway(snapshot: ConfigSnapshot, tools: SystemTools = {}) {
  const policies = createTrafficPolicies(tools)
  const gateway = createGateway({
    ...bareWorker,
    logLevel: 'error',
    trustedProxies: ['127.0.0.1/32'],
    compilePolicy: policies.compile,
  })
  const agent = new Agent({ pipelining: 1 })
  onTestFinished(async () => {
    await agent.destroy()
    await gateway.close()
  })
  let revision = 0
  const swap = (next: ConfigSnapshot) => {
    const result = gateway.swap({ ...next, revision: ++revision })
    if (!result.ok) throw new Error(result.reason)
  }
  swap(snapshot)
  const port = await gateway.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${port}`

  async function ask({ method = 'GET', path = '/p/a', headers = {}, body }: Asked = {}) {
    const answer = await request(url + path, {
      method,
      headers,
      dispatcher: agent,
      ...(body === undefined ? {} : { body: body as Buffer }),
    })
    const text = await answer.body.text()
    const isJson = String(answer.headers['content-type']).includes('json') && text !== ''
    const code = isJson ? ((JSON.parse(text) as { code?: string }).code ?? null) : null
    return { status: answer.statusCode, headers: answer.headers, text, code }
  }

  return { gateway, policies, swap, ask, url }
}
