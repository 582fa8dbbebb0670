import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildApiRow, buildPage, buildUser } from '../../testing/builders.ts'
import { refuse, type Answers } from '../../testing/fake-server.ts'
import { renderApp, watchConsoleErrors } from '../../testing/render-app.tsx'

const path = '/dashboard/admin/apis'

/** 25 APIs, ten to a page. */
const threePages: Answers = {
  'GET /api/apis': ({ query }) => {
    const page = Number(query['page'])
    const first = (page - 1) * 10 + 1
    const count = Math.max(0, Math.min(10, 25 - first + 1))
    const rows = Array.from({ length: count }, (_, at) =>
      buildApiRow(first + at, { name: `API ${first + at}` }),
    )
    return buildPage(rows, 25, page)
  },
}

const tableTexts = async () =>
  within(await screen.findByRole('table'))
    .getAllByRole('row')
    .map((row) =>
      within(row)
        .queryAllByRole('cell')
        .map((cell) => cell.lastElementChild?.textContent),
    )

test('the columns are the spec’s; Name holds the gateway status and the name beside it', async () => {
  renderApp({
    path,
    answers: {
      'GET /api/apis': () =>
        buildPage([
          buildApiRow(4, { name: 'Orders', gateway_status: 'disabled' }),
          buildApiRow(5, {
            name: 'Stock',
            api_protocol: 'stored_procedure',
            api_url: '',
            driver: 'mysql',
            host: 'db.example.com',
            port: 3306,
            database: 'stock',
          }),
        ]),
    },
  })
  expect(await screen.findByRole('heading', { name: 'Apis List' })).toBeTruthy()
  const [, first, second] = await tableTexts()
  expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
    '#',
    'Name',
    'Type',
    'API URL',
    'Action',
  ])
  expect(first?.slice(0, 4)).toEqual(['4', 'disabledOrders', 'http', 'https://orders.example.com'])
  expect(second?.slice(2, 4)).toEqual(['stored_procedure', 'mysql: db.example.com:3306 / stock'])
})

test('page, search and order are kept in the address and sent to the server', async () => {
  const { server, browser, address } = renderApp({ path, answers: threePages })
  await browser.click(await screen.findByRole('button', { name: 'Next' }))
  await screen.findByText('11–20 of 25')
  expect(address()).toBe(`${path}?page=2`)

  await browser.click(screen.getByRole('button', { name: 'Name' }))
  await waitFor(() => expect(address()).toBe(`${path}?sort=name`))
  await browser.click(screen.getByRole('button', { name: 'Name' }))
  await waitFor(() => expect(address()).toBe(`${path}?sort=-name`))

  await browser.type(screen.getByLabelText('Search APIs'), 'tax ')
  await waitFor(() => expect(address()).toBe(`${path}?sort=-name&search=tax`))
  await waitFor(() =>
    expect(server.requests.at(-1)?.query).toEqual({
      page: '1',
      limit: '10',
      search: 'tax',
      sort: '-name',
    }),
  )
})

test('an address with a page past the end, or an unknown order, shows the last page there is', async () => {
  const { server, address } = renderApp({
    path: `${path}?page=99&sort=secret`,
    answers: threePages,
  })
  await screen.findByText('21–25 of 25')
  expect(address()).toBe(`${path}?page=3&sort=secret`)
  const last = server.requests.findLast(({ key }) => key === 'GET /api/apis')
  expect(last?.query).toEqual({ page: '3', limit: '10' })
})

test.each(['0', '-1', '1.5', 'x'])('page=%s is page 1', async (page) => {
  renderApp({ path: `${path}?page=${page}`, answers: threePages })
  expect(await screen.findByText('1–10 of 25')).toBeTruthy()
})

test('Loading... shows while the list is fetched', async () => {
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof buildPage<never>>>()
  renderApp({ path, answers: { 'GET /api/apis': () => promise } })
  await screen.findByRole('heading', { name: 'Apis List' })
  expect(screen.getByText('Loading...')).toBeTruthy()
  resolve(buildPage<never>([]))
  expect(await screen.findByText('No APIs yet')).toBeTruthy()
  expect(screen.queryByText('Loading...')).toBeNull()
})

test('a failed fetch is logged, leaves the list empty, and offers Retry', async () => {
  const log = watchConsoleErrors()
  const { server, browser } = renderApp({
    path,
    answers: { 'GET /api/apis': () => refuse('server.failed') },
  })
  await screen.findByText('Something went wrong on our side.')
  expect(screen.queryByRole('row')).toBeNull()
  expect(log).toHaveBeenCalledOnce()
  server.use(threePages)
  await browser.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('1–10 of 25')).toBeTruthy()
})

test('delete asks first, naming the API and what goes with it, then removes it', async () => {
  let rows = [buildApiRow(4, { name: 'Orders', context: 'orders', has_upstream_token: true })]
  const { server, browser } = renderApp({
    path,
    answers: {
      'GET /api/apis': () => buildPage(rows),
      'DELETE /api/apis/:id': () => {
        rows = []
        return undefined
      },
    },
  })
  await browser.click(await screen.findByRole('button', { name: 'Delete Orders' }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete this API?' })
  expect(dialog.textContent).toContain('Orders will be deleted, with the credential stored for it.')
  expect(dialog.textContent).toContain('/orders')
  await browser.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.requests.map(({ key }) => key)).not.toContain('DELETE /api/apis/:id')

  await browser.click(screen.getByRole('button', { name: 'Delete Orders' }))
  await browser.click(await screen.findByRole('button', { name: 'Delete API' }))
  expect(await screen.findByText('No APIs yet')).toBeTruthy()
  expect(server.requests.find(({ key }) => key === 'DELETE /api/apis/:id')?.params).toEqual({
    id: '4',
  })
})

test('an API with endpoints cannot go, and the dialog says why', async () => {
  const { browser } = renderApp({
    path,
    answers: { 'GET /api/apis': () => buildPage([buildApiRow(4, {}, 2)]) },
  })
  await browser.click(await screen.findByRole('button', { name: 'Delete Orders' }))
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('still has 2 endpoints')
  expect(within(dialog).queryByRole('button', { name: 'Delete API' })).toBeNull()
})

test('a delete that the server refuses says why in the dialog', async () => {
  const { browser } = renderApp({
    path,
    answers: {
      'GET /api/apis': () => buildPage([buildApiRow(4)]),
      'DELETE /api/apis/:id': () => refuse('api.has_endpoints'),
    },
  })
  await browser.click(await screen.findByRole('button', { name: 'Delete Orders' }))
  await browser.click(await screen.findByRole('button', { name: 'Delete API' }))
  expect((await screen.findByRole('alert')).textContent).toBe(
    'This API still has endpoints. Delete them first.',
  )
})

test('a user who may only view sees no buttons to change anything', async () => {
  renderApp({
    path,
    user: buildUser({ permissions: ['dashboard.view', 'api.view'] }),
    answers: { 'GET /api/apis': () => buildPage([buildApiRow(4)]) },
  })
  await screen.findByRole('table')
  expect(screen.queryByRole('link', { name: 'Add Api' })).toBeNull()
  expect(screen.queryByRole('link', { name: /Edit/ })).toBeNull()
  expect(screen.queryByRole('button', { name: /Delete/ })).toBeNull()
})

type Server = ReturnType<typeof renderApp>['server']
const lastQuery = ({ requests }: Server) =>
  requests.findLast(({ key }) => key === 'GET /api/apis')?.query

test('the list is filtered by status and type, and the filters are in the address', async () => {
  const { server, browser, address } = renderApp({
    path: `${path}?page=2&status=active&type=soap`,
    answers: threePages,
  })
  await screen.findByText('11–20 of 25')
  expect(lastQuery(server)).toMatchObject({ gateway_status: 'active' })
  await browser.click(screen.getByRole('combobox', { name: 'Type' }))
  await browser.click(await screen.findByRole('option', { name: 'Stored Procedure' }))
  await waitFor(() => expect(address()).toBe(`${path}?status=active&type=stored_procedure`))
  await browser.click(screen.getByLabelText('Any status'))
  await waitFor(() => expect(address()).toBe(`${path}?type=stored_procedure`))
  await waitFor(() =>
    expect(lastQuery(server)).toEqual({
      page: '1',
      limit: '10',
      api_protocol: 'stored_procedure',
    }),
  )
})

test('filters that nothing matches say so', async () => {
  renderApp({
    path: `${path}?status=disabled`,
    answers: { 'GET /api/apis': () => buildPage([]) },
  })
  expect(await screen.findByText('Nothing matches these filters.')).toBeTruthy()
})

test('the size of pages is remembered, for this user and this list', async () => {
  const { server, browser, address } = renderApp({ path: `${path}?page=3`, answers: threePages })
  await screen.findByText('21–25 of 25')
  await browser.click(screen.getByRole('combobox', { name: 'Rows a page' }))
  await browser.click(await screen.findByRole('option', { name: '50 a page' }))
  await waitFor(() => expect(lastQuery(server)?.['limit']).toBe('50'))
  // What was the first row is on the first page now.
  expect(address()).toBe(path)
  cleanup()

  const again = renderApp({ path, answers: threePages })
  await screen.findByRole('combobox', { name: 'Rows a page' })
  const limitsOf = ({ requests }: Server) =>
    requests.flatMap(({ key, query }) => (key === 'GET /api/apis' ? [query['limit']] : []))
  expect(new Set(limitsOf(again.server))).toEqual(new Set(['50']))
  cleanup()

  const other = renderApp({ path, user: buildUser({ id: 2 }), answers: threePages })
  await screen.findByRole('combobox', { name: 'Rows a page' })
  expect(new Set(limitsOf(other.server))).toEqual(new Set(['10']))
})

test('a size that is no choice, and a storage without sense, count as ten', async () => {
  localStorage.setItem('gatehouse-list.1.apis', '{"pageSize":1000000}')
  const { server } = renderApp({ path, answers: threePages })
  await screen.findByText('1–10 of 25')
  expect(lastQuery(server)?.['limit']).toBe('10')
})

test('what is remembered is kept under ids, which are the same in every language', async () => {
  const { browser } = renderApp({ path, answers: threePages })
  await screen.findByRole('table')
  await browser.click(screen.getByRole('button', { name: 'Columns' }))
  for (const name of ['Type', 'API URL', 'Context', 'Access', 'Endpoints'])
    await browser.click(await screen.findByRole('checkbox', { name }))
  const kept = JSON.parse(localStorage.getItem('gatehouse-list.1.apis') ?? '{}')
  expect(kept).toEqual({
    pageSize: 10,
    columns: {
      api_protocol: false,
      api_url: false,
      context: true,
      api_access: true,
      endpoints_count: true,
    },
  })
})

test('columns are chosen, and the choice is remembered for the user', async () => {
  const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  const { browser } = renderApp({ path, answers: threePages })
  await screen.findByRole('table')
  await browser.click(screen.getByRole('button', { name: 'Columns' }))
  await browser.click(await screen.findByRole('checkbox', { name: 'Type' }))
  await browser.click(screen.getByRole('checkbox', { name: 'Endpoints' }))
  const chosen = ['#', 'Name', 'API URL', 'Endpoints', 'Action']
  expect(heads()).toEqual(chosen)
  cleanup()
  renderApp({ path, answers: threePages })
  await screen.findByRole('table')
  expect(heads()).toEqual(chosen)
  cleanup()
  renderApp({ path, user: buildUser({ id: 2 }), answers: threePages })
  await screen.findByRole('table')
  expect(heads()).toEqual(['#', 'Name', 'Type', 'API URL', 'Action'])
})
