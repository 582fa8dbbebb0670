import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { creatorOf } from '../harness/creator.ts'
import { expectAccessible, startJourney, toast } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'

// An API is offered to agents, looked at as one of them, and called by one.

const journey = startJourney()
const upstreams: Server[] = []
let creator: Awaited<ReturnType<typeof creatorOf>>
let api: number
let token: string
let lines = 0
const credentials: (string | undefined)[] = []

beforeAll(async () => {
  creator = await creatorOf(journey.url)
  const upstream = createServer((request, response) => {
    if (request.method === 'POST') lines++
    credentials.push(request.headers.authorization)
    response.setHeader('content-type', 'application/json').end('{"no":7,"total":119.00}')
  })
  upstreams.push(upstream)
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const { port } = upstream.address() as AddressInfo
  api = await creator.createApi('Ledger', `http://127.0.0.1:${port}`, {
    credential: { kind: 'bearer', token: 'secret-of-the-ledger' },
    static_headers: [{ name: 'x-company', value: '7', is_secret: false }],
    traffic_policy: { rate_limit: { requests: 1_000, window_seconds: 60, per: 'endpoint' } },
    answer_timeout_ms: 12_000,
    tags: ['books'],
  })
  const read = await creator.createEndpoint(api, ['get', '/entries/{id}', 'One entry'])
  await creator.createEndpoint(api, ['post', '/entries', 'New entry'], { agent_offer: 'offered' })
  await creator.create('/api/role', { name: 'Agents' })
  const { body } = await creator.call('GET', '/api/role?search=Agents')
  const [{ data }] = body as [{ data: { id: number }[] }]
  const role = data[0]!.id
  await creator.call('PUT', `/api/api-permission/${role}/update`, { endpoints: [read] })
  const made = await creator.call('POST', '/admin/token/store', { name: 'Agent' })
  ;({ token } = (made.body as { access_token: { token: string } }).access_token)
})
afterAll(() => {
  for (const upstream of upstreams) upstream.close()
})

async function send(method: string, params: object = {}) {
  const answer = await fetch(`${journey.gatewayUrl}/mcp/ledger`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return { status: answer.status, text: await answer.text() }
}

async function readApi() {
  const { body } = await creator.call('GET', `/api/apis/${api}/edit`)
  const [{ submitted_data }] = body as [{ submitted_data: string }]
  return JSON.parse(submitted_data) as Record<string, unknown>
}

it('nothing is offered until the switch of the API is on', async () => {
  const { page } = journey
  expect((await send('tools/list')).status).toBe(404)
  await showScreen(page, `/dashboard/admin/apis/${api}/agents`)
  await page.getByText('Agents find nothing of this API.').waitFor()
  await expectAccessible(page)
  const before = await readApi()
  await page.getByRole('switch', { name: 'Offer to agents' }).check()
  await toast(page, 'The API is offered to agents.')
  expect(await readApi()).toEqual({ ...before, offer_to_agents: true, version: 2 })
  expect((await send('tools/list')).status).toBe(200)
})

it('each role is shown what the gateway shows it', async () => {
  const { page } = journey
  await showScreen(page, `/dashboard/admin/apis/${api}/agents`)
  await page.getByText('ledger_one_entry').waitFor()
  await page.getByText('ledger_new_entry').waitFor()
  await page.getByRole('combobox', { name: 'Role' }).fill('Agents')
  await page.getByRole('option', { name: 'Agents' }).click()
  const seen = page.locator('summary').filter({ hasText: 'ledger_' })
  await seen.waitFor()
  expect(await seen.allInnerTexts()).toEqual(['ledger_one_entry'])
  await seen.click()
  await page.getByText('"readOnlyHint": true').waitFor()
  await expectAccessible(page)
})

it('an agent calls what it was offered, within the roles of its token', async () => {
  const begun = await send('initialize', { protocolVersion: '2025-11-25', capabilities: {} })
  expect(begun.text).toMatch(/"serverInfo":{"name":"gatehouse","title":"Gatehouse","version":"\d/)
  const read = await send('tools/call', { name: 'ledger_one_entry', arguments: { id: '7' } })
  expect(read.text).toContain('"structuredContent":{"no":7,"total":119.00}')
  const params = { name: 'ledger_new_entry', arguments: { body: { total: 1 } } }
  expect((await send('tools/call', params)).text).toContain('119.00')
  expect(lines).toBe(1)
  expect(credentials).toEqual(Array(2).fill('Bearer secret-of-the-ledger'))
  await creator.call('PUT', `/api/apis/${api}`, await switchedOff())
  expect((await send('tools/call', params)).status).toBe(404)
  expect(lines).toBe(1)
})

async function switchedOff(): Promise<object> {
  const { body } = await creator.call('GET', `/api/apis/${api}/edit`)
  const [{ submitted_data }] = body as [{ submitted_data: string }]
  return { ...(JSON.parse(submitted_data) as object), offer_to_agents: false }
}
