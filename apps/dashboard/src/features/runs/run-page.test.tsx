import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { expectPane } from '../../testing/build-request-screen.ts'
import { refuse } from '../../testing/fake-server.ts'
import { renderApp, watchConsoleErrors } from '../../testing/render-app.tsx'
import {
  buildAttempt,
  buildRunDetail,
  buildStep,
  buildSummary,
  openEvents,
} from '../../testing/run-builders.ts'

const path = '/dashboard/admin/runs/41'
async function show(run = buildRunDetail()) {
  const app = renderApp({ path, answers: { 'GET /api/runs/:id': () => run } })
  await screen.findByRole('list', { name: 'Steps' })
  return app
}

test('it says what became of the run, who sent it, and which runs belong to it', async () => {
  await show(
    buildRunDetail({ is_test: true, retry_of: 12, retried_by: 44, original: 7, credits: [50, 51] }),
  )
  expect(await screen.findByText('Every step succeeded.')).toBeTruthy()
  expect(screen.getByText('TEST')).toBeTruthy()
  const document = screen.getByRole('link', { name: 'INV-1' })
  expect(document.getAttribute('href')).toBe('/dashboard/admin/documents?search=INV-1')
  expect(screen.getAllByText('Ada Admin').length).toBeGreaterThan(0)
  expect(screen.getByText(/after 1\.5 s/)).toBeTruthy()
  const links = [12, 44, 7, 50, 51].map((id) => screen.getByRole('link', { name: `run ${id}` }))
  expect(links.map((link) => link.getAttribute('href'))).toEqual(
    [12, 44, 7, 50, 51].map((id) => `/dashboard/admin/runs/${id}`),
  )
})

test('a run of a batch names its row and leads to the batch', async () => {
  const workflow = { id: 7, name: 'Sales invoices', version: 3 }
  await show(buildRunDetail({ workflow, batch: { id: 5, line: 1234 } }))
  const link = await screen.findByRole('link', { name: 'batch 5' })
  expect(link.getAttribute('href')).toBe('/dashboard/admin/workflows/7/batches/5')
  expect(link.parentElement?.textContent).toBe('row 1,234 of batch 5')
})

test('a run of a workflow names it, with the version that it ran on', async () => {
  await show(buildRunDetail({ workflow: { id: 7, name: 'Sales invoices', version: 3 } }))
  const link = await screen.findByRole('link', { name: 'Sales invoices' })
  expect(link.getAttribute('href')).toBe('/dashboard/admin/workflows/7')
  expect(link.parentElement?.textContent).toBe('Sales invoices · version 3')
})

test('the trace id of a run with spans is shown to be copied', async () => {
  await show(buildRunDetail({ trace_id: '0af7651916cd43dd8448eb211c80319c' }))
  expect(await screen.findByText('0af7651916cd43dd8448eb211c80319c')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Copy: the trace id' })).toBeTruthy()
})

test('what was sent is shown pretty with exact numbers, and as the bytes were', async () => {
  const { browser } = await show()
  await browser.click(await screen.findByText('Request'))
  await expectPane('Request of step 1', '{\n  "total": 0.10\n}')
  expect(screen.getByText('14 bytes')).toBeTruthy()
  await browser.click(screen.getByRole('button', { name: 'Raw' }))
  await expectPane('Request of step 1', '{"total":0.10}')
  expect(screen.getByText('POST https://authority.example.com/invoices')).toBeTruthy()
  expect(screen.getByText('content-type: application/json')).toBeTruthy()
})

test('a large body waits until it is asked for; one that was cut says so', async () => {
  const text = `"${'x'.repeat(70_000)}"`
  const body = { text, bytes: 70_002, is_whole: true }
  const cut = { text: '{"a', bytes: 5_000_000, is_whole: false }
  const attempts = [buildAttempt({ answer_body: cut })]
  const { browser } = await show(buildRunDetail({ steps: [buildStep({ body, attempts })] }))
  await browser.click(await screen.findByText('Request'))
  await browser.click(screen.getByRole('button', { name: 'Show the body (68.4 KiB)' }))
  await expectPane('Request of step 1', text)
  await browser.click(screen.getByText('Answer'))
  expect(await screen.findByText('The first 3 characters of 5,000,000 bytes')).toBeTruthy()
})

test('an answer that was cut is downloaded whole, byte for byte', async () => {
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    saved.push(file as Blob)
    return 'blob:file'
  })
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue()
  const names: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    names.push(this.download)
  })
  const cut = { text: '{"a', bytes: 5_000_000, is_whole: false }
  const attempts = [buildAttempt({ answer_body: cut })]
  const { server, browser } = await show(buildRunDetail({ steps: [buildStep({ attempts })] }))
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  const bytes = new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0xe9, 0x7d])
  server.use({ 'GET /api/runs/:id/steps/:n/answer': () => new Response(bytes, { headers }) })
  await browser.click(await screen.findByText('Answer'))
  await browser.click(await screen.findByRole('button', { name: 'Download the whole answer' }))
  await waitFor(() => expect(names).toEqual(['run-41-step-1-attempt-1.json']))
  expect(new Uint8Array((await saved[0]?.arrayBuffer()) ?? [])).toEqual(bytes)
  expect(server.requests.at(-1)).toMatchObject({
    params: { id: '41', n: '1' },
    query: { attempt: '1' },
  })

  server.use({ 'GET /api/runs/:id/steps/:n/answer': () => refuse('run.not_found') })
  await browser.click(screen.getByRole('button', { name: 'Download the whole answer' }))
  expect(await screen.findByText('Failed to fetch the answer.')).toBeTruthy()
})

test('every attempt is there in its order, with what was seen, said, and by whom', async () => {
  await show(
    buildRunDetail({
      steps: [
        buildStep({
          attempts: [
            buildAttempt({ outcome: 'timeout', status: null, answer_body: null }),
            buildAttempt({
              number: 2,
              kind: 'resolved_received',
              outcome: null,
              status: null,
              duration_ms: null,
              answer_body: null,
              answer_headers: null,
              user_name: 'Otto Operator',
              note: 'Seen in the portal',
              reference: 'A-77',
            }),
          ],
        }),
      ],
    }),
  )
  const list = await screen.findByRole('list', { name: 'Attempts of step 1' })
  const [first, second] = within(list).getAllByRole('listitem')
  expect(first?.textContent).toMatch(/^Sent: No answer in time.*12 ms · by Ada Admin/)
  expect(second?.textContent).toMatch(
    /^A user said that it was received.*by Otto Operator.*A-77.*“Seen in the portal”/,
  )
})

test('the request can be copied as a curl command, without its credential', async () => {
  const { browser } = await show(buildRunDetail({ steps: [buildStep({ has_credential: true })] }))
  await browser.click(await screen.findByText('Request'))
  vi.stubGlobal('isSecureContext', true)
  await browser.click(screen.getByRole('button', { name: /^Copy as curl/ }))
  const copied = await navigator.clipboard.readText()
  expect(copied).toContain("curl -X POST 'https://authority.example.com/invoices'")
  expect(copied).toContain('Bearer $TOKEN')
})

test('a run that goes on is followed until it has ended', async () => {
  const events = openEvents()
  let run = buildRunDetail({ state: 'running', steps: [buildStep({ state: 'sending' })] })
  renderApp({
    path,
    answers: {
      'GET /api/runs/:id': () => run,
      'GET /api/runs/:id/events': () => events.response,
    },
  })
  expect(await screen.findByText('It is going on.')).toBeTruthy()
  run = buildRunDetail()
  events.run(buildSummary('succeeded'))
  expect(await screen.findByText('Every step succeeded.')).toBeTruthy()
})

test('a run that does not exist, or cannot be loaded, is said so', async () => {
  watchConsoleErrors()
  const { server, browser } = renderApp({
    path,
    answers: { 'GET /api/runs/:id': () => refuse('server.failed') },
  })
  expect(await screen.findByText('The run could not be loaded.')).toBeTruthy()
  server.use({ 'GET /api/runs/:id': () => refuse('run.not_found') })
  await browser.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('There is no such run.')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('The run could not be loaded.')).toBeNull())
})
