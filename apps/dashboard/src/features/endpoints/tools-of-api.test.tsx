import { screen, within } from '@testing-library/react'
import type { ApiTool } from '@gatehouse/contract'
import { expect, test } from 'vitest'
import { buildApi, buildApiRecord, buildPage, buildUser } from '../../testing/builders.ts'
import { refuse, type Answers } from '../../testing/fake-server.ts'
import { renderApp } from '../../testing/render-app.tsx'

const path = '/dashboard/admin/apis/1/agents'

const tool = (parts: Partial<ApiTool> = {}): ApiTool => ({
  endpoint_id: 7,
  summery: 'One order',
  method_type: 'get',
  path: '/orders/{id}',
  status: 'active',
  effect: 'read',
  agent_offer: 'as_api',
  needs_release: false,
  tool_name: 'orders_one_order',
  is_tool: true,
  ...parts,
})

const hidden = tool({
  endpoint_id: 8,
  summery: 'New order',
  effect: 'submit',
  tool_name: '',
  is_tool: false,
})

const answers = (isOffered: boolean, isSigned = false): Answers => ({
  'GET /api/apis/:id/edit': () => [
    { ...buildApiRecord(1, buildApi()), gateway_url: 'http://gateway.test:8080/orders' },
  ],
  'GET /api/apis/:id/tools': () => ({
    is_offered: isOffered,
    is_signed: isSigned,
    tools: [tool(), hidden],
  }),
  'GET /api/tool-calls': () => ({ calls: [] }),
})

test('the tab has each endpoint with its tool, what it changes, and the address for clients', async () => {
  const { browser } = renderApp({ path, answers: answers(true) })
  const table = within(await screen.findByRole('table', { name: 'Endpoints as tools of agents' }))
  const rows = table.getAllByRole('row').slice(1)
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/orders_one_order.*One order.*Reads.*Tool/),
    expect.stringMatching(/No tool.*New order.*Changes with each call/),
  ])
  const offered = await screen.findByText('Connect a client')
  await browser.click(offered)
  expect(screen.getByText(/"url": "http:\/\/gateway\.test:8080\/mcp\/orders"/)).toBeTruthy()
})

test('of an API that is not offered it says so, and offers it', async () => {
  const { browser, server } = renderApp({
    path,
    answers: { ...answers(false), 'PUT /api/apis/:id': () => buildApiRecord(1, buildApi()) },
  })
  expect(await screen.findByText('Agents find nothing of this API.')).toBeTruthy()
  await browser.click(screen.getByRole('switch', { name: 'Offer to agents' }))
  expect(await screen.findByText('The API is offered to agents.')).toBeTruthy()
  expect(server.bodiesOf('PUT /api/apis/:id')).toMatchObject([
    { name: buildApi().name, offer_to_agents: true },
  ])
  expect(screen.queryByText('Connect a client')).toBeNull()
  expect(screen.queryByText('As a role')).toBeNull()
})

test('more than twenty tools come in pages', async () => {
  const tools = Array.from({ length: 45 }, (_, at) =>
    tool({ endpoint_id: at + 1, tool_name: `orders_${at + 1}` }),
  )
  const { browser } = renderApp({
    path,
    answers: {
      ...answers(true),
      'GET /api/apis/:id/tools': () => ({ is_offered: true, is_signed: false, tools }),
    },
  })
  expect(await screen.findByText('orders_20')).toBeTruthy()
  expect(screen.queryByText('orders_21')).toBeNull()
  await browser.click(screen.getByRole('button', { name: 'Last' }))
  expect(await screen.findByText('orders_45')).toBeTruthy()
  expect(screen.queryByText('orders_40')).toBeNull()
})

const roles: Answers = {
  'GET /api/role': () =>
    buildPage([{ id: 4, name: 'Readers', permissions_count: 0, users_count: 1 }]),
}

async function chooseRole({ browser }: ReturnType<typeof renderApp>) {
  await browser.click(await screen.findByRole('combobox', { name: 'Role' }))
  await browser.click(await screen.findByRole('option', { name: 'Readers' }))
}

test('a role is shown what the gateway shows it, as JSON', async () => {
  const tools = [{ name: 'orders_seen', inputSchema: { type: 'object' } }]
  const seen = { 'POST /api/apis/:id/tools/seen': () => ({ tools }) }
  const app = renderApp({ path, answers: { ...answers(true), ...roles, ...seen } })
  await chooseRole(app)
  await app.browser.click(await screen.findByText('orders_seen'))
  expect(screen.getByText(/"inputSchema": \{/)).toBeTruthy()
  expect(app.server.bodiesOf('POST /api/apis/:id/tools/seen')).toEqual([{ as_role: 4 }])
})

test('a gateway that can’t be asked is said so', async () => {
  const silent = { 'POST /api/apis/:id/tools/seen': () => refuse('gateway.silent') }
  const app = renderApp({ path, answers: { ...answers(true), ...roles, ...silent } })
  await chooseRole(app)
  expect(await screen.findByText('The gateway could not be asked.')).toBeTruthy()
})

test('a user who may not try as a role is not offered it', async () => {
  const user = buildUser({ permissions: ['api.view', 'endpoint.view'] })
  renderApp({ path, user, answers: answers(true) })
  expect(await screen.findByText('orders_one_order')).toBeTruthy()
  expect(screen.queryByText('As a role')).toBeNull()
  expect(screen.queryByRole('switch', { name: 'Offer to agents' })).toBeNull()
})

test('the tab has what each token did with its tools, and leads to the token', async () => {
  const { server } = renderApp({
    path,
    answers: {
      ...answers(true),
      'GET /api/tool-calls': () => ({
        calls: [
          {
            token_id: 5,
            token_name: 'Assistant',
            user_name: 'Mona',
            tool: 'orders_one_order',
            calls: 1200,
            refused: 3,
            failed: 2,
            waiting: 1,
            p95: 41.6,
          },
        ],
      }),
    },
  })
  const table = within(await screen.findByRole('table', { name: 'Calls by agents' }))
  const cells = table.getAllByRole('cell').map(({ textContent }) => textContent)
  // Each with its head, for places without room for a table.
  expect(cells).toEqual([
    'Toolorders_one_order',
    'TokenAssistantMona',
    'Calls1,200',
    'Refused3',
    'Failed2',
    'Waits for release1',
    'p95, ms42',
  ])
  const link = table.getByRole('link', { name: 'Assistant' })
  expect(link.getAttribute('href')).toBe('/dashboard/admin/personal-token/5')
  const asked = server.requests.find(({ key }) => key === 'GET /api/tool-calls')
  expect(asked?.query).toEqual({ api_id: '1' })
})

test('a user who may not see tokens gets no calls', async () => {
  const { server } = renderApp({
    path,
    user: buildUser({ permissions: ['api.view', 'endpoint.view'] }),
    answers: answers(true),
  })
  await screen.findByRole('table', { name: 'Endpoints as tools of agents' })
  expect(screen.queryByText('Calls by agents')).toBeNull()
  expect(server.requests.some(({ key }) => key === 'GET /api/tool-calls')).toBe(false)
})
