import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Permission, RunDetail, RunSummary } from '@gatehouse/contract'
import type { GatewayLink } from '../../src/publishing/gateway-link.ts'
import { buildServer, endpointOf, httpApi, type Answer } from './build-server.ts'
import { startUpstream, type Received } from './hostile-upstream.ts'

export type Answerer = (request: Received, response: ServerResponse, socket: Socket) => void

export type RunServer = Awaited<ReturnType<typeof startRunServer>>

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answerer =>
  (_, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body))

/** Breaks the connection without an answer. */
export const cut: Answerer = (_request, _response, socket) => socket.destroy()

export interface SentStep {
  end_point: number
  body?: string
  token?: string
  test_invoice?: boolean
  dependency_field?: string
  is_dependent?: boolean
}

/** The app beside an upstream that answers as the test says, with one API to add endpoints to. */
export async function startRunServer(
  environment: NodeJS.ProcessEnv = {},
  database?: Parameters<typeof buildServer>[2],
  gateway?: GatewayLink,
) {
  const server = await buildServer(environment, gateway, database)
  let answerer: Answerer = json(200, { ok: true })
  const upstream = await startUpstream((...exchange) => answerer(...exchange))
  const token = server.admin.token

  async function create(path: string, body: unknown): Promise<number> {
    const created = await server.send('POST', path, { token, body })
    if (created.status !== 201) throw new Error(created.text)
    return (created.body as { id: number }).id
  }
  const createApi = (overrides: Record<string, unknown> = {}) =>
    create('/api/apis', httpApi({ name: 'Authority', api_url: upstream.url, ...overrides }))
  const apiId = await createApi({ answer_timeout_ms: 300, connect_timeout_ms: 300 })
  let endpoints = 0
  /** A POST endpoint with a new path, unless the overrides change that. */
  const endpoint = (overrides: Record<string, unknown> = {}, ofApi = apiId) =>
    create(
      '/api/endpoint',
      endpointOf(ofApi, {
        method_type: 'post',
        path: `/step-${++endpoints}`,
        summery: `Step ${endpoints}`,
        ...overrides,
      }),
    )

  const post = (url: string, body: unknown, as = token, headers: Record<string, string> = {}) =>
    server.send('POST', url, { token: as, body, headers })
  /** A user whose one role has these permissions and holds these endpoints. */
  async function person(permissions: Permission[], endpointIds: readonly number[] = []) {
    const built = await server.buildUser({ permissions })
    const { id: role_id } = await server.db
      .selectFrom('role')
      .select('id')
      .where('name', '=', built.roleName)
      .executeTakeFirstOrThrow()
    for (const endpoint_id of endpointIds)
      await server.db.insertInto('role_endpoint').values({ role_id, endpoint_id }).execute()
    return built
  }
  const bundle = (steps: readonly SentStep[]) =>
    Object.fromEntries(steps.map((step, index) => [`endpoint_${index + 1}`, step]))

  return {
    server,
    upstream,
    token,
    createApi,
    endpoint,
    post,
    person,
    answer: (next: Answerer) => {
      answerer = next
    },
    /** Sends a tax bundle; `key` is its Idempotency-Key. */
    tax: (steps: readonly SentStep[], { as = token, key = '' } = {}) =>
      post('/api/tax', bundle(steps), as, key ? { 'idempotency-key': key } : {}),
    credit: (steps: readonly SentStep[], { as = token, key = '' } = {}) =>
      post('/api/credit/tax', bundle(steps), as, key ? { 'idempotency-key': key } : {}),
    show: async (id: number) =>
      (await server.send('GET', `/api/runs/${id}`, { token })).body as RunDetail,
    close: async () => {
      await server.close()
      await upstream.close()
    },
  }
}

/** The run in an answer or a refusal. */
export const runOf = (answer: Answer) => (answer.body as { run: RunSummary }).run
