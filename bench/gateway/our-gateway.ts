import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../e2e/harness/free-port.ts'
import { runProduct, signIn } from '../../e2e/harness/run-product.ts'
import type { Peer } from './peers.ts'

/** Creates wait for the disk; a few at once share its waiting. */
const atOnce = 16

export const benchPath = '/bench/item/1'

/** Calls the admin API; throws where it refuses. */
type Must = (method: string, path: string, body?: unknown) => Promise<unknown>

export interface OurApi {
  /** Fields of the API and of its endpoint that differ from the others. */
  api?: object
  endpoint?: object
}

interface Ours {
  endpoints: number
  /** A base URL. */
  upstream: string
  /** Further APIs by their contexts; each has the path `item/1`. */
  apis?: Record<string, OurApi>
  /** Called with the id of the role that may call all of it. */
  setUp?: (must: Must, roleId: number) => Promise<unknown>
  /** Settings beside those of every bench. */
  environment?: Record<string, string>
}

/**
 * The product with one worker, a personal token, role access and the access log on, and so many
 * endpoints of which one is called.
 */
export async function startOurs({
  endpoints,
  upstream,
  apis = {},
  setUp,
  environment: settings = {},
}: Ours): Promise<Peer> {
  const folder = mkdtempSync(join(os.tmpdir(), 'gatehouse-bench-gateway-'))
  const gatewayPort = await freePort()
  const environment: Record<string, string> = {
    DATA_DIR: folder,
    GATEWAY_PORT: String(gatewayPort),
    GATEWAY_WORKERS: '1',
    ...settings,
  }
  // What is measured is any start but the very first, which compiles: a worker then holds 30 MB less.
  await (await runProduct(environment)).end('SIGTERM')
  let product = await runProduct(environment)
  const call = await signIn(product.url)
  const must: Must = async (method, path, body) => {
    const answer = await call(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer.body
  }
  const createApi = async (name: string, more: object = {}) => {
    const created = await must('POST', '/api/apis', {
      name,
      authentication: true,
      api_protocol: 'http',
      auth_type: 'bearer_token',
      gateway_status: 'active',
      api_access: 'internally',
      api_url: upstream,
      ...more,
    })
    return (created as { id: number }).id
  }
  const bench = await createApi('Bench')
  const ids: number[] = []
  const paths = [
    '/item/{id}',
    ...Array.from({ length: endpoints - 1 }, (_, at) => `/kind-${at}/{id}/detail`),
  ]
  const create = async (path: string, api_id = bench, more: object = {}) => {
    const created = (await must('POST', '/api/endpoint', {
      api_id,
      method_type: 'get',
      status: 'active',
      path,
      authentication: 0,
      summery: path,
      description: path,
      ...more,
    })) as { id: number }
    ids.push(created.id)
  }
  const queue = paths.values()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const path of queue) await create(path)
    }),
  )
  for (const [context, { api, endpoint }] of Object.entries(apis))
    await create('/item/{id}', await createApi(context, api), endpoint)
  const roles = (await must('GET', '/api/role?limit=100')) as [
    { data: { id: number; name: string }[] },
  ]
  const consumer = roles[0].data.find(({ name }) => name === 'API Consumer')
  await must('PUT', `/api/api-permission/${consumer?.id}/update`, { endpoints: ids })
  if (consumer) await setUp?.(must, consumer.id)
  const { access_token } = (await must('POST', '/admin/token/store', { user: 4 })) as {
    access_token: { token: string }
  }
  // A configuration that comes whole takes more memory than one that grew by changes.
  await product.end('SIGTERM')
  product = await runProduct(environment)
  const status = await (await signIn(product.url))('GET', '/api/gateway')
  const { workers } = status.body as { workers: { pid: number }[] }
  const url = `${environment['TLS_CERT'] === undefined ? 'http' : 'https'}://127.0.0.1:${gatewayPort}`
  const authorization = `Authorization: Bearer ${access_token.token}`
  await untilOpen(`${url}${benchPath}`, access_token.token)
  return {
    name: `Gatehouse, ${endpoints} endpoints`,
    url,
    headers: [authorization],
    pids: workers.map(({ pid }) => pid),
    stop: async () => {
      await product.end('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Until the last change has reached the worker. */
async function untilOpen(url: string, token: string): Promise<void> {
  for (;;) {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    await answer.arrayBuffer()
    if (answer.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
