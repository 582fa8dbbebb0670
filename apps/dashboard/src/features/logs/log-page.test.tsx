import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { buildUser } from '../../testing/builders.ts'
import { refuse, type SeenRequest } from '../../testing/fake-server.ts'
import { buildEntry, buildLogPage } from '../../testing/log-builders.ts'
import { renderApp, watchConsoleErrors } from '../../testing/render-app.tsx'

const path = '/dashboard/admin/logs'
const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
const lookedAt = (requests: SeenRequest[]) =>
  requests.filter(({ key }) => key === 'GET /api/logs').map(({ query }) => query)

test('standard format: level with icon and colour, context, date and content', async () => {
  renderApp({ path, answers: { 'GET /api/logs': () => buildLogPage([buildEntry()]) } })
  const table = await screen.findByRole('table', { name: 'admin/admin.log' })
  expect(heads()).toEqual(['Level', 'Context', 'Date', 'Content'])
  const cells = within(table).getAllByRole('cell')
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    'error',
    'local',
    '10:00:00',
    'It broke.',
  ])
  expect(within(table).getByRole('rowheader').textContent).toBe('Sat, 21 Nov 2026')
  expect(cells[0]?.querySelector('svg.tabler-icon-alert-triangle')).toBeTruthy()
  expect(cells[0]?.closest('tr')?.dataset['level']).toBe('danger')
})

test.each([
  [[], null],
  [['edge-1'], 'Another server, edge-1, keeps its logs in its own DATA_DIR.'],
  [
    ['edge', 'edge', 'control'],
    '3 other servers keep their logs in their own DATA_DIR: edge, control',
  ],
])('servers whose logs are elsewhere are named: %j', async (other_servers, note) => {
  const answers = { 'GET /api/logs': () => buildLogPage([buildEntry()], { other_servers }) }
  renderApp({ path, answers })
  const files = await screen.findByRole('navigation', { name: 'Log files' })
  if (note === null) expect(files.textContent).not.toContain('DATA_DIR')
  else expect(within(files).getByText(note)).toBeTruthy()
})

test('any other format: date and content alone, and no filter by level', async () => {
  const entry = buildEntry({ level: '', level_class: '', level_img: '', context: '', date: '7' })
  renderApp({
    path,
    answers: { 'GET /api/logs': () => buildLogPage([entry], { standardFormat: false }) },
  })
  await screen.findByText('It broke.')
  expect(heads()).toEqual(['Date', 'Content'])
  expect(screen.queryByRole('combobox', { name: 'Level' })).toBeNull()
})

test('View Stack shows the stack and hides it again', async () => {
  const entries = [buildEntry({ stack: '#0 main.php(3)' }), buildEntry({ id: 9, text: 'No stack' })]
  const { browser } = renderApp({ path, answers: { 'GET /api/logs': () => buildLogPage(entries) } })
  const toggle = await screen.findByRole('button', { name: 'View Stack' })
  expect(toggle.getAttribute('aria-expanded')).toBe('false')
  expect(screen.queryByText('#0 main.php(3)')).toBeNull()
  await browser.click(toggle)
  expect(screen.getByText('#0 main.php(3)')).toBeTruthy()
  expect(toggle.getAttribute('aria-expanded')).toBe('true')
  await browser.click(toggle)
  expect(screen.queryByText('#0 main.php(3)')).toBeNull()
})

test('whatever a log holds is text', async () => {
  const text = '<img src=x onerror=alert(1)><b>bold</b>'
  renderApp({
    path,
    answers: { 'GET /api/logs': () => buildLogPage([buildEntry({ text, context: text })]) },
  })
  const shown = await screen.findAllByText(text)
  expect(shown).toHaveLength(2)
  for (const element of shown) expect(element.querySelector('img, b')).toBeNull()
})

test('Loading logs... while loading, No logs available. when empty', async () => {
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof buildLogPage>>()
  renderApp({ path, answers: { 'GET /api/logs': () => promise } })
  expect(await screen.findByText('Loading logs...')).toBeTruthy()
  resolve(buildLogPage([], { files: [], folders: [], current_file: null }))
  expect(await screen.findByText('No logs available.')).toBeTruthy()
  expect(screen.queryByText('Loading logs...')).toBeNull()
  expect(screen.queryByRole('link', { name: 'Download File' })).toBeNull()
})

test('the sidebar lists folders and files; selecting one sends only its name', async () => {
  const { server, browser, address } = renderApp({
    path: `${path}?l=admin%2Fadmin.log&page=2&level=error&search=x`,
    answers: {
      'GET /api/logs': ({ query }) =>
        buildLogPage([buildEntry({ text: `of ${query['l']}` })], {
          current_file: query['l'] ?? null,
        }),
    },
  })
  await screen.findByText('of admin/admin.log')
  const files = screen.getByRole('navigation', { name: 'Log files' })
  expect(within(files).getByRole('region', { name: 'admin' })).toBeTruthy()
  const runs = within(files).getByRole('region', { name: 'runs' })
  await browser.click(within(runs).getByRole('button', { name: /runs\.log/ }))
  await screen.findByText('of runs/runs.log')
  expect(address()).toBe(`${path}?l=runs%2Fruns.log`)
  expect(lookedAt(server.requests)).toEqual([
    { l: 'admin/admin.log', page: '2', level: 'error', search: 'x' },
    { l: 'runs/runs.log' },
  ])
  expect(within(runs).getByRole('button', { current: true }).textContent).toContain('runs.log')
})

test('while another file loads, nothing of the one before is shown as its own', async () => {
  const { server, browser } = renderApp({
    path: `${path}?l=admin%2Fadmin.log`,
    answers: { 'GET /api/logs': () => buildLogPage([buildEntry()]) },
  })
  await screen.findByText('It broke.')
  server.use({ 'GET /api/logs': () => new Promise(() => {}) })
  await browser.click(screen.getByRole('button', { name: /runs\.log/ }))
  expect(await screen.findByText('Loading logs...')).toBeTruthy()
  expect(screen.queryByText('It broke.')).toBeNull()
  expect(screen.getByRole('button', { name: /admin\.log/ })).toBeTruthy()
})

test('Previous, five numbers around the page, Next; disabled at the ends', async () => {
  const { browser, address } = renderApp({
    path: `${path}?l=admin%2Fadmin.log&page=6`,
    answers: {
      'GET /api/logs': ({ query }) =>
        buildLogPage([buildEntry()], { page: Number(query['page']), last_page: 9, total: 261 }),
    },
  })
  const bar = await screen.findByRole('navigation', { name: 'Pagination' })
  const labels = () =>
    within(bar)
      .getAllByRole('button')
      .map(({ textContent }) => textContent)
  expect(labels()).toEqual(['Previous', '4', '5', '6', '7', '8', 'Next'])
  await browser.click(within(bar).getByRole('button', { name: 'Next' }))
  await waitFor(() => expect(labels()).toEqual(['Previous', '5', '6', '7', '8', '9', 'Next']))
  expect(address()).toContain('page=7')
  const isDisabled = (name: string) =>
    within(bar).getByRole<HTMLButtonElement>('button', { name }).disabled
  await browser.click(within(bar).getByRole('button', { name: 'Page 9' }))
  await waitFor(() => expect(isDisabled('Next')).toBe(true))
  expect(isDisabled('Previous')).toBe(false)
})

test('Download File leads the browser to the file, for those who may', async () => {
  const answers = { 'GET /api/logs': () => buildLogPage([buildEntry()]) }
  renderApp({ path, answers })
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Download File' })
  expect(link.getAttribute('href')).toBe('/api/logs/download?file=admin%2Fadmin.log')
})

test('Download File fetches the file where the browser would not say who leads to it', async () => {
  vi.stubGlobal('isSecureContext', false)
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download)
  })
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:file')
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue()
  const headers = { 'content-type': 'application/octet-stream' }
  const { server } = renderApp({
    path,
    answers: {
      'GET /api/logs': () => buildLogPage([buildEntry()]),
      'GET /api/logs/download': () => new Response('a line', { headers }),
    },
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Download File' }))
  await waitFor(() => expect(saved).toEqual(['admin.log']))
  const asked = server.requests.find(({ key }) => key === 'GET /api/logs/download')
  expect(asked?.query).toEqual({ file: 'admin/admin.log' })
})

test('Download File is not offered without the permission', async () => {
  renderApp({
    path,
    user: buildUser({ permissions: ['dashboard.view', 'log.view'] }),
    answers: { 'GET /api/logs': () => buildLogPage([buildEntry()]) },
  })
  await screen.findByText('It broke.')
  expect(screen.queryByRole('link', { name: 'Download File' })).toBeNull()
})

test('without a name the newest file opens, and stays that file', async () => {
  const { address } = renderApp({
    path,
    answers: { 'GET /api/logs': () => buildLogPage([buildEntry()]) },
  })
  await screen.findByText('It broke.')
  await waitFor(() => expect(address()).toBe(`${path}?l=admin%2Fadmin.log`))
})

test('a file that is gone: its reason, and a way to the newest', async () => {
  const errors = watchConsoleErrors()
  const { browser, server } = renderApp({
    path: `${path}?l=gone`,
    answers: { 'GET /api/logs': () => refuse('log.not_found') },
  })
  expect(await screen.findByText('This log file does not exist.')).toBeTruthy()
  expect(errors).toHaveBeenCalled()
  server.use({ 'GET /api/logs': () => buildLogPage([buildEntry()]) })
  await browser.click(screen.getByRole('link', { name: 'Open the newest log' }))
  expect(await screen.findByText('It broke.')).toBeTruthy()
})

test('a long content is one line, and whole when it is opened', async () => {
  const text = `${'long '.repeat(400)}end`
  const { browser } = renderApp({
    path,
    answers: { 'GET /api/logs': () => buildLogPage([buildEntry({ text, is_truncated: true })]) },
  })
  const line = await screen.findByRole('button', { name: /^long long/ })
  expect(screen.queryByText(/end$/)).toBeNull()
  await browser.click(line)
  expect((await screen.findByLabelText('The whole entry')).textContent).toMatch(/long end$/)
  expect(screen.getByText('truncated, download the file')).toBeTruthy()
})
