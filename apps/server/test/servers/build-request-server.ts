import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { buildServer, endpointOf, httpApi } from './build-server.ts'
import { startUpstream, type Received } from './hostile-upstream.ts'

export type BuildAnswerer = (request: Received, response: ServerResponse, socket: Socket) => void

export type BuildRequestServer = Awaited<ReturnType<typeof startBuildRequestServer>>

export const jsonText =
  (status: number, text: string): BuildAnswerer =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)

/** The app beside an upstream that answers as the test says, with endpoints of every kind. */
export async function startBuildRequestServer() {
  const server = await buildServer()
  const token = server.admin.token
  let answerer: BuildAnswerer = jsonText(200, '{"ok":true}')
  const upstream = await startUpstream((...exchange) => answerer(...exchange))

  async function create(path: string, body: unknown): Promise<number> {
    const created = await server.send('POST', path, { token, body })
    if (created.status !== 201) throw new Error(created.text)
    return (created.body as { id: number }).id
  }
  const createApi = (overrides: Record<string, unknown>) => create('/api/apis', httpApi(overrides))
  const createEndpoint = (apiId: number, overrides: Record<string, unknown>) =>
    create('/api/endpoint', endpointOf(apiId, overrides))

  const apiId = await createApi({
    name: 'Upstream',
    api_url: `${upstream.url}/v1`,
    upstream_token: 'stored-credential',
  })
  const impatient = await createApi({
    name: 'Impatient',
    api_url: upstream.url,
    answer_timeout_ms: 300,
  })
  const disabledApi = await createApi({ name: 'Disabled', gateway_status: 'disabled' })
  const refusing = await createApi({ name: 'Refusing', api_url: await closedPort() })
  const endpoints = {
    get: await createEndpoint(apiId, { method_type: 'get', path: '/posts/{id}' }),
    list: await createEndpoint(apiId, { method_type: 'get', path: '/posts' }),
    post: await createEndpoint(apiId, { method_type: 'post', path: '/posts' }),
    put: await createEndpoint(apiId, { method_type: 'put', path: '/posts/{id}' }),
    impatientGet: await createEndpoint(impatient, { method_type: 'get', path: '/posts' }),
    impatientPost: await createEndpoint(impatient, { method_type: 'post', path: '/posts' }),
    disabled: await createEndpoint(apiId, { path: '/disabled', status: 'disabled' }),
    ofDisabledApi: await createEndpoint(disabledApi, { path: '/x' }),
    refused: await createEndpoint(refusing, { path: '/x', method_type: 'post' }),
  }

  /** The latest run with its step and its attempt, as they are stored. */
  async function ledger() {
    const [run] = await server.db
      .selectFrom('run')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(1)
      .execute()
    const step = await server.db
      .selectFrom('run_step')
      .selectAll()
      .where('run_id', '=', run?.id ?? 0)
      .executeTakeFirstOrThrow()
    const attempt = await server.db
      .selectFrom('run_attempt')
      .selectAll()
      .where('step_id', '=', step.id)
      .executeTakeFirstOrThrow()
    return { run, step, attempt }
  }

  return {
    server,
    upstream,
    token,
    endpoints,
    createEndpoint: (overrides: Record<string, unknown>) => createEndpoint(apiId, overrides),
    ledger,
    answer: (next: BuildAnswerer) => {
      answerer = next
    },
    get: (
      end_point: string | number | undefined,
      body = '',
      as = token,
      extra: Record<string, string> = {},
    ) =>
      server.send('GET', '/admin/get-data', {
        token: as,
        query: { end_point: String(end_point ?? ''), body, ...extra },
        headers: { 'x-csrf-token': as },
      }),
    send: (
      end_point: unknown,
      second_endpoint: unknown,
      first_endpoint = '',
      extra: Record<string, unknown> = {},
    ) =>
      server.send('POST', '/api/prepare-data', {
        token,
        body: { end_point, first_endpoint, second_endpoint, ...extra },
      }),
    close: async () => {
      await server.close()
      await upstream.close()
    },
  }
}

async function closedPort(): Promise<string> {
  const closed = await startUpstream(() => {})
  await closed.close()
  return closed.url
}
