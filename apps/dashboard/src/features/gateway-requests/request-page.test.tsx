import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildApiRow, buildEndpoint, buildPage, buildUser } from '../../testing/builders.ts'
import type { Answers, SeenRequest } from '../../testing/fake-server.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { buildRequest, buildRequestPage } from '../../testing/request-builders.ts'
import { withNew } from './request-queries.ts'

const path = '/dashboard/admin/gateway-requests'
const key = 'GET /api/gateway-requests'
const user = buildUser({ roles: [], permissions: ['log.view'] })

const show = (answers: NonNullable<Answers[typeof key]>, address = path, as = user) =>
  renderApp({ path: address, user: as, answers: { [key]: answers } })
const asked = (requests: SeenRequest[]) =>
  requests.filter((seen) => seen.key === key).map(({ query }) => query)

test('a request is a line: time, method, path, status, ms, endpoint, API, client and token', async () => {
  show(() => buildRequestPage([buildRequest()]), `${path}?to=2026-06-02T00:00:00.000Z`)
  const table = await screen.findByRole('table', { name: 'Gateway requests' })
  const cells = within(table).getAllByRole('cell')
  expect(cells.slice(1).map(({ textContent }) => textContent)).toEqual([
    'MethodGET',
    'Path/shop/orders/7',
    'Status200',
    'Took12.5 ms',
    'EndpointOne order Shop',
    'ClientTill till 4',
  ])
})

test('a request that went through with a note is marked, and those are listed alone', async () => {
  const detail = 'The request does not fit: /body/a'
  const rows = [
    buildRequest({ detail }),
    buildRequest({ offset: 9, status: 422, code: 'client.invalid', detail }),
    buildRequest({ offset: 8 }),
  ]
  const { browser, server } = show(
    () => buildRequestPage(rows),
    `${path}?to=2026-06-02T00:00:00.000Z`,
  )
  expect((await screen.findByTitle(detail)).closest('tr')?.textContent).toContain('200note')
  expect(screen.getAllByText('note')).toHaveLength(1)
  await browser.click(screen.getByRole('combobox', { name: 'Status' }))
  await browser.click(await screen.findByRole('option', { name: 'Went through, with a note' }))
  await waitFor(() => expect(asked(server.requests).at(-1)).toMatchObject({ status: 'noted' }))
})

test('new requests come on top while the list is followed, and none do while it pauses', async () => {
  let count = 0
  const { browser, server } = show(({ query }) => {
    if (query['since'] === undefined) return buildRequestPage([buildRequest()])
    count++
    const row = buildRequest({ offset: 1_000 + count, request_id: `new-${count}` })
    return buildRequestPage([row], { newest: `place${count + 1}` })
  })
  await screen.findByRole('button', { name: /details of the request new-1$/ })
  await browser.click(screen.getByRole('button', { name: 'Pause' }))
  const since = asked(server.requests).find((query) => query['since'] !== undefined)
  expect(since).toMatchObject({ since: 'place1', follow: 'true' })
  expect(screen.getByRole('button', { name: 'Follow' })).toBeTruthy()
  const buttons = screen.getAllByRole('button', { name: /details of the request/ })
  expect(buttons.at(-1)?.textContent).toContain('AAAA-1')
})

test('the arrow keys and two buttons go from the details of a request to those of the next', async () => {
  const rows = [3, 2, 1].map((offset) =>
    buildRequest({ offset, request_id: `r${offset}`, at: `2026-06-01T08:00:00.12${offset}Z` }),
  )
  const { browser } = show(() => buildRequestPage(rows), `${path}?to=2026-06-02T00:00:00.000Z`)
  await browser.click(await screen.findByRole('button', { name: /details of the request r3$/ }))
  const panel = () => within(screen.getByRole('complementary', { name: 'Details of the request' }))
  await panel().findByText('r3')
  expect(screen.getByRole('button', { name: /\.123.*request r3$/ })).toBeTruthy()
  expect(panel().getByRole<HTMLButtonElement>('button', { name: 'Newer request' }).disabled).toBe(
    true,
  )
  await browser.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
  await panel().findByText('r1')
  await browser.keyboard('{ArrowUp}')
  await panel().findByText('r2')
  await browser.click(panel().getByRole('button', { name: 'Older request' }))
  await panel().findByText('r1')
})

test('a gap takes the place of all that was shown: no request is silently left out', () => {
  const page = buildRequestPage([buildRequest()])
  const full = buildRequestPage([buildRequest({ offset: 9 })], { older: 'cut', newest: 'place9' })
  const pages = { pages: [page], pageParams: [undefined] }
  expect(withNew(pages, full, false).pages).toEqual([full])
  const few = { ...full, older: null }
  expect(withNew(pages, few, false).pages[0]?.rows.map(({ offset }) => offset)).toEqual([9, 100])
})

test('the address holds the filters, and what makes no sense in it is ignored', async () => {
  const address = `${path}?endpoint=7&status=failed&from=2026-06-01T08:00:00.000Z&to=2026-06-01T08:01:00.000Z&token=9&api=x&slower=-1`
  const { browser, server } = show(() => buildRequestPage([], { token: 'till 4' }), address)
  await screen.findByText('Nothing matches these filters.')
  expect(screen.getByText('Token till 4')).toBeTruthy()
  expect(asked(server.requests)[0]).toEqual({
    endpoint: '7',
    status: 'failed',
    from: '2026-06-01T08:00:00.000Z',
    to: '2026-06-01T08:01:00.000Z',
    token: '9',
  })
  // What has ended is not followed.
  expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull()
  await browser.click(screen.getByRole('button', { name: 'Any token' }))
  await waitFor(() => expect(asked(server.requests).at(-1)).not.toHaveProperty('token'))
})

test('older requests come page by page, and the list says how far a search has looked', async () => {
  const { browser } = show(({ query }) => {
    if (query['older'] === 'b')
      return buildRequestPage([buildRequest({ offset: 1, request_id: 'old' })])
    return buildRequestPage([], { older: 'b', looked_back_to: '2026-06-01T07:00:00.000Z' })
  }, `${path}?to=2026-06-02T00:00:00.000Z`)
  await screen.findByText('Nothing so far')
  await browser.click(screen.getByRole('button', { name: 'Look further back' }))
  expect(await screen.findByRole('button', { name: /details of the request old$/ })).toBeTruthy()
})

test.each([
  ['an agent', 'order clerk 2', 'order clerk 2'],
  ['an agent without a name', '', 'does not say what it is'],
])('the details of a request of %s name it', async (_, agent, shown) => {
  const { browser } = show(() => buildRequestPage([buildRequest({ agent })]))
  await browser.click(await screen.findByRole('button', { name: /details of the request AAAA-1$/ }))
  const panel = await screen.findByRole('complementary', { name: 'Details of the request' })
  expect(within(panel).getByText(shown)).toBeTruthy()
})

test('the details say why, and lead to the endpoint, Try it, callers, client and log entry', async () => {
  const row = buildRequest({
    status: 504,
    code: 'upstream.timeout',
    reason: 'The upstream did not answer in time.',
    detail: 'no answer within 30 s',
    upstream_status: null,
  })
  const { browser } = show(
    () => buildRequestPage([row]),
    `${path}?to=2026-06-02T00:00:00.000Z&status=504`,
    buildUser({
      roles: [],
      permissions: ['log.view', 'endpoint.edit', 'request.send', 'api-permission.view'],
    }),
  )
  await browser.click(await screen.findByRole('button', { name: /details of the request AAAA-1$/ }))
  const panel = await screen.findByRole('complementary', { name: 'Details of the request' })
  within(panel).getByText('The upstream did not answer in time.')
  const links = within(panel)
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')])
  expect(links).toEqual([
    ['Endpoint', '/dashboard/admin/endpoint/edit/7'],
    ['Try it', '/dashboard/admin/endpoint/edit/7#try-it'],
    ['Who can call this', '/dashboard/admin/endpoint/edit/7#callers'],
    ['Log entry', '/dashboard/admin/logs?l=gateway%2Fgateway-1-2026-06-01.log&entry=100'],
  ])
  await browser.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
})

test('the details of a request that went through show what the gateway noted about it', async () => {
  const detail = 'The request does not fit, and was let in: /body/id: This is missing.'
  const row = buildRequest({ status: 200, code: '', reason: '', detail })
  const { browser } = show(() => buildRequestPage([row]), `${path}?to=2026-06-02T00:00:00.000Z`)
  await browser.click(await screen.findByRole('button', { name: /details of the request AAAA-1$/ }))
  const panel = await screen.findByRole('complementary', { name: 'Details of the request' })
  expect(panel.textContent).toContain(detail)
})

test('who may see APIs, endpoints and users chooses among them by name', async () => {
  const { browser, server } = renderApp({
    path: `${path}?to=2026-06-02T00:00:00.000Z`,
    user: buildUser({
      roles: [],
      permissions: ['log.view', 'api.view', 'endpoint.view', 'user.view'],
    }),
    answers: {
      [key]: () => buildRequestPage([]),
      'GET /api/apis': () => buildPage([buildApiRow(3, { name: 'Shop' })]),
      'GET /api/endpoint': () => buildPage([buildEndpoint({ summery: 'One order' })]),
      'GET /api/user': () => buildPage([]),
    },
  })
  await browser.click(await screen.findByRole('combobox', { name: 'API' }))
  await browser.click(await screen.findByRole('option', { name: 'Shop' }))
  await waitFor(() => expect(asked(server.requests).at(-1)).toMatchObject({ api: '3' }))
  await browser.click(screen.getByRole('combobox', { name: 'Endpoint' }))
  await browser.click(await screen.findByRole('option', { name: /^One order/ }))
  await waitFor(() => expect(asked(server.requests).at(-1)).toMatchObject({ endpoint: '7' }))
})

test('it says whose requests these are, and which are not recorded', async () => {
  show(
    () => buildRequestPage([], { other_servers: ['edge-1', 'edge-1'], records_all: false }),
    `${path}?to=2026-06-02T00:00:00.000Z`,
  )
  await screen.findByText('Only requests that failed are recorded')
  const place =
    'Newest first, of the gateway on tower. Other servers keep those of their own gateways: edge-1.'
  expect(screen.getByText(place)).toBeTruthy()
})

test('a gateway that runs alone is chosen by its name, and its lines are in no Log Viewer here', async () => {
  const gateways = [{ id: 'edge-id', name: 'edge-1' }]
  const { browser, server, address } = show(
    ({ query }) =>
      buildRequestPage([buildRequest()], {
        gateways,
        server: query['server'] === undefined ? 'tower' : 'edge-1',
      }),
    `${path}?to=2026-06-02T00:00:00.000Z`,
  )
  await browser.click(await screen.findByRole('combobox', { name: 'Gateway' }))
  await browser.click(await screen.findByRole('option', { name: 'edge-1' }))
  await screen.findByText(/of the gateway on edge-1/)
  expect(address()).toContain('server=edge-id')
  expect(asked(server.requests).at(-1)).toMatchObject({ server: 'edge-id' })
  await browser.click(await screen.findByRole('button', { name: /details of the request/ }))
  const panel = within(screen.getByRole('complementary', { name: 'Details of the request' }))
  panel.getByText('edge-1')
  expect(panel.queryByRole('link', { name: 'Log entry' })).toBeNull()
})
