import { latencyBucketsMs, type ToolCalls } from '@gatehouse/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  buildServer,
  endpointOf,
  httpApi,
  type TestServer,
} from '../../../test/servers/build-server.ts'
import { recordingGateway } from '../../../test/servers/recording-gateway.ts'

let gateway: ReturnType<typeof recordingGateway>
let server: TestServer
let apiId: number
let tokenId: number
beforeEach(async () => {
  gateway = recordingGateway()
  server = await buildServer({}, gateway.link)
  apiId = idOf(await create('/api/apis', httpApi({ name: 'Posts', offer_to_agents: true })))
  await create('/api/endpoint', { ...endpointOf(apiId), tool_name: 'posts_one_post' })
  tokenId = await makeToken(server.admin.token)
})
afterEach(() => server.close())

const idOf = (body: unknown) => (body as { id: number }).id

async function create(url: string, body: unknown, token = server.admin.token) {
  const answer = await server.send('POST', url, { token, body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

async function makeToken(token: string): Promise<number> {
  const made = await create('/admin/token/store', { name: 'Agent' }, token)
  return idOf((made as { access_token: unknown }).access_token)
}

/** Calls that each took between 75 and 100 ms. */
const called = (tool: string, calls: number, day = '2026-06-01') => ({
  token_id: tokenId,
  day,
  tool,
  calls,
  refused: 1,
  failed: 0,
  waiting: 0,
  buckets: latencyBucketsMs.map((bound) => (bound === 100 ? calls : 0)).concat(0),
})

async function list(query = '', token = server.admin.token): Promise<ToolCalls[]> {
  const answer = await server.send('GET', `/api/tool-calls?${query}`, { token })
  expect(answer.status, answer.text).toBe(200)
  return (answer.body as { calls: ToolCalls[] }).calls
}

it('shows what workers reported by token and tool, over the days, those with the most calls first', async () => {
  gateway.report({ tool_calls: [called('run_status', 1), called('posts_one_post', 2)] })
  await server.traffic.flush()
  gateway.report({ tool_calls: [called('posts_one_post', 3, '2026-05-20')] })
  await server.traffic.flush()
  expect(await list()).toEqual([
    {
      token_id: tokenId,
      token_name: 'Agent',
      user_name: expect.any(String),
      tool: 'posts_one_post',
      calls: 5,
      refused: 2,
      failed: 0,
      waiting: 0,
      p95: 98.75,
    },
    expect.objectContaining({ tool: 'run_status', calls: 1 }),
  ])
  expect(await list(`api_id=${apiId}`)).toMatchObject([{ tool: 'posts_one_post' }])
  expect(await list('api_id=999')).toEqual([])
  expect(await list(`token_id=${tokenId}`)).toHaveLength(2)
  expect(await list('token_id=999')).toEqual([])
})

it('leaves out what is more than 30 days old, and removes it after 35', async () => {
  gateway.report({
    tool_calls: [called('old', 1, '2026-05-02'), called('gone', 1, '2026-04-20')],
  })
  await server.traffic.flush()
  expect(await list()).toEqual([])
  const rows = await server.db.selectFrom('tool_usage').select('tool').execute()
  expect(rows).toEqual([{ tool: 'old' }])
})

it('counts a day that is not here yet as today, and nothing of a token that does not exist', async () => {
  gateway.report({
    tool_calls: [called('a', 1, '2026-06-09'), { ...called('b', 1), token_id: 4_711 }],
  })
  await server.traffic.flush()
  const rows = await server.db.selectFrom('tool_usage').select(['tool', 'day']).execute()
  expect(rows).toEqual([{ tool: 'a', day: '2026-06-01' }])
})

it('shows the tokens that the list of tokens shows', async () => {
  gateway.report({ tool_calls: [called('a', 1)] })
  await server.traffic.flush()
  const other = await server.buildUser({ permissions: ['token.view'] })
  expect(await list('', other.token)).toEqual([])
})
