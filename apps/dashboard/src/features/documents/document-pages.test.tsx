import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildPage, buildUser } from '../../testing/builders.ts'
import { buildDocument, buildDocumentDetail } from '../../testing/document-builders.ts'
import { refuse, type Answers } from '../../testing/fake-server.ts'
import { renderApp, watchConsoleErrors } from '../../testing/render-app.tsx'

const list = '/dashboard/admin/documents'
const path = `${list}/5`
// A seller's name of four bytes and a VAT number.
const qr = 'AQRBY21lAg8zMTAxMjIzOTM1MDAwMDM='

const png = () => new Response(new Uint8Array([0x89]), { headers: { 'content-type': 'image/png' } })

const withDetail = (changes: Parameters<typeof buildDocumentDetail>[0] = {}): Answers => ({
  'GET /api/documents/:id': () => buildDocumentDetail(changes),
  'POST /api/post/image': png,
})

test('the list shows reference, kind, state and runs, and marks tests', async () => {
  const credit = buildDocument({
    id: 6,
    kind: 'credit',
    reference: 'CN-1',
    is_test: true,
    state: 'unknown',
    original_reference: 'INV-2026-0005',
  })
  renderApp({
    path: list,
    answers: { 'GET /api/documents': () => buildPage([credit, buildDocument()]) },
  })
  const [, first, second] = within(await screen.findByRole('table')).getAllByRole('row')
  expect(first?.textContent).toMatch(
    /CN-1.*TEST.*credits INV-2026-0005.*Credit note.*Outcome unknown/,
  )
  expect(second?.textContent).toMatch(/INV-2026-0005.*Tax document.*Accepted.*EIN00091/)
  const link = screen.getByRole('link', { name: 'CN-1' })
  expect(link.getAttribute('href')).toBe('/dashboard/admin/documents/6')
  const menu = within(screen.getByRole('navigation', { name: 'Main' }))
  expect(menu.getByRole('link', { name: 'Documents' }).getAttribute('href')).toBe(list)
})

test('a phone shows the register too: it tells two documents of one number apart', async () => {
  const [one, other] = ['Acme', 'Beta'].map((register, id) => buildDocument({ id, register }))
  renderApp({ path: list, answers: { 'GET /api/documents': () => buildPage([one!, other!]) } })
  const table = await screen.findByRole('table')
  for (const name of ['Acme', 'Beta']) {
    const cell = within(table).getByText(name).closest('td')
    expect(cell?.dataset['part']).toBeUndefined()
  }
})

test('filters are kept in the address and sent with the search', async () => {
  const { server, browser, address } = renderApp({
    path: `${list}?page=2&kind=credit&state=odd`,
    answers: { 'GET /api/documents': () => buildPage([buildDocument()], 11, 2) },
  })
  await screen.findByRole('table')
  expect(server.requests.at(-1)?.query).toEqual({ page: '2', limit: '10', kind: 'credit' })
  await browser.click(screen.getByRole('combobox', { name: 'State' }))
  await browser.click(await screen.findByRole('option', { name: 'Outcome unknown' }))
  await waitFor(() => expect(address()).toBe(`${list}?kind=credit&state=unknown`))
  await waitFor(() =>
    expect(server.requests.at(-1)?.query).toEqual({
      page: '1',
      limit: '10',
      kind: 'credit',
      state: 'unknown',
    }),
  )
})

test('an empty list says where documents come from, a filtered one that nothing matches', async () => {
  const answers = { 'GET /api/documents': () => buildPage([]) }
  renderApp({ path: list, answers })
  expect(await screen.findByText(/document reference path/)).toBeTruthy()
  renderApp({ path: `${list}?state=open`, answers })
  expect(await screen.findByText('Nothing matches these filters.')).toBeTruthy()
})

test('a document shows its run, its authority reference and what may be done with it', async () => {
  renderApp({ path, answers: withDetail() })
  await screen.findByRole('heading', { name: 'INV-2026-0005' })
  expect(screen.getByText('The authority has it. It is not sent again.')).toBeTruthy()
  expect(screen.getByText('EIN00091')).toBeTruthy()
  const runs = within(screen.getByRole('list', { name: 'Runs' }))
  expect(runs.getByRole('link', { name: 'Run 12' }).getAttribute('href')).toBe(
    '/dashboard/admin/runs/12',
  )
  expect(screen.getByText('No QR code yet')).toBeTruthy()
  expect(screen.getByText('None were sent against it.')).toBeTruthy()
})

test('its QR is drawn from its text, decoded, and there to copy', async () => {
  const { server } = renderApp({ path, answers: withDetail({ qr }) })
  await screen.findByRole('img', { name: 'QR code of the document' })
  expect(server.bodiesOf('POST /api/post/image')).toEqual([
    { base64: qr, width: '', height: '', isQrCode: true },
  ])
  const table = screen.getByRole('table', { name: 'Fields of the tax QR' })
  expect(table.textContent).toContain('310122393500003')
  expect(screen.getByText(qr)).toBeTruthy()
})

test('a user who may not make images sees the QR as text and decoded', async () => {
  const user = buildUser({ permissions: ['dashboard.view', 'run.view'] })
  const { server } = renderApp({ path, user, answers: withDetail({ qr }) })
  expect(await screen.findByText(qr)).toBeTruthy()
  expect(screen.getByRole('table', { name: 'Fields of the tax QR' })).toBeTruthy()
  expect(server.bodiesOf('POST /api/post/image')).toEqual([])
})

test('a QR that cannot be drawn leaves its text and offers another try', async () => {
  watchConsoleErrors()
  const answers = withDetail({ qr })
  const refused = () => refuse('server.busy')
  renderApp({ path, answers: { ...answers, 'POST /api/post/image': refused } })
  expect(await screen.findByText('The QR code could not be drawn.')).toBeTruthy()
  expect(screen.getByText(qr)).toBeTruthy()
})

test('credit notes against it are listed, a credit note leads to what it credits', async () => {
  const credit = buildDocument({ id: 6, kind: 'credit', reference: 'CN-1', state: 'unknown' })
  renderApp({ path, answers: withDetail({ credit_notes: [credit] }) })
  const credits = within(await screen.findByRole('list', { name: 'Credit notes' }))
  expect(credits.getByRole('link', { name: 'CN-1' }).getAttribute('href')).toBe(
    '/dashboard/admin/documents/6',
  )
})

test.each([
  [buildDocument(), 'INV-2026-0005'],
  [null, 'INV-OLD, which no run here has sent'],
])('a credit note says what it credits: %#', async (original, text) => {
  const detail = { kind: 'credit', original_reference: 'INV-OLD', original } as const
  renderApp({ path, answers: withDetail({ ...detail, reference: 'CN-9' }) })
  await screen.findByRole('heading', { name: 'CN-9' })
  expect(screen.getByText('Credits').nextElementSibling?.textContent).toContain(text)
  expect(screen.queryByRole('heading', { name: 'Credit notes' })).toBeNull()
})

test('an unknown document says so', async () => {
  watchConsoleErrors()
  renderApp({ path, answers: { 'GET /api/documents/:id': () => refuse('document.not_found') } })
  expect(await screen.findByText('This document does not exist.')).toBeTruthy()
})
