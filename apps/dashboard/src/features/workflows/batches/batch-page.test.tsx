import { screen, waitFor, within } from '@testing-library/react'
import type { BatchRecord } from '@gatehouse/contract'
import { expect, test, vi } from 'vitest'
import { buildPage, buildUser } from '../../../testing/builders.ts'
import { refuse, type Answers } from '../../../testing/fake-server.ts'
import { renderApp, watchConsoleErrors } from '../../../testing/render-app.tsx'
import { openEvents } from '../../../testing/run-builders.ts'
import { buildBatch, buildBatchLine, buildWorkflow } from '../../../testing/workflow-builders.ts'

const at = '/api/workflows/:slug/batches/:id'
const finished = buildBatch({
  state: 'finished',
  counts: { succeeded: 997, rejected: 3 },
  seconds_left: null,
})

async function open(batch: BatchRecord, answers: Answers = {}, without: string[] = []) {
  const user = buildUser()
  const permissions = user.permissions.filter((name) => !without.includes(name))
  const app = renderApp({
    path: '/dashboard/admin/workflows/7/batches/5',
    user: { ...user, permissions },
    answers: {
      'GET /api/workflows/:id': () => buildWorkflow(),
      [`GET ${at}`]: () => ({ batch }),
      [`GET ${at}/lines`]: () => buildPage([buildBatchLine()]),
      [`GET ${at}/events`]: () => openEvents().response,
      ...answers,
    },
  })
  await screen.findByRole('list', { name: 'Rows by state' })
  return app
}
const entry = (name: string) => screen.findByRole('button', { name })
const dialog = async () => within(await screen.findByRole('dialog'))

test('the progress is followed by events, to its end', async () => {
  const events = openEvents()
  const { server } = await open(buildBatch(), { [`GET ${at}/events`]: () => events.response })
  await entry('Queued 597')
  expect(screen.getByText('6 minutes')).toBeTruthy()
  const send = (batch: BatchRecord) =>
    events.send(`event: batch\ndata: ${JSON.stringify(batch)}\n\n`)
  send(buildBatch({ counts: { succeeded: 500, rejected: 3, queued: 497 } }))
  await entry('Queued 497')
  server.use({ [`GET ${at}`]: () => ({ batch: finished }) })
  send(finished)
  await entry('Succeeded 997')
  expect(screen.getByText('Every row has ended, or waits for a person.')).toBeTruthy()
  const followed = server.requests.filter(({ key }) => key === `GET ${at}/events`)
  expect(followed).toHaveLength(1)
  expect(followed[0]?.headers.get('accept')).toBe('text/event-stream')
})

test('the rows that failed are listed first, each with why, and with its run', async () => {
  const { server, browser, address } = await open(finished)
  const row = within(await screen.findByRole('row', { name: /INV-17/ }))
  expect(row.getByText('The VAT number is missing.')).toBeTruthy()
  expect(row.getByRole('link', { name: 'run 41' }).getAttribute('href')).toBe(
    '/dashboard/admin/runs/41',
  )
  const asked = () => server.requests.findLast(({ key }) => key === `GET ${at}/lines`)?.query
  expect(asked()).toMatchObject({ state: 'failed' })
  await browser.click(await entry('Succeeded 997'))
  await waitFor(() => expect(asked()).toMatchObject({ state: 'succeeded' }))
  expect(address()).toBe('/dashboard/admin/workflows/7/batches/5?state=succeeded')
})

test('a batch is paused after a question, and resumed', async () => {
  let batch = buildBatch()
  const { server, browser } = await open(batch, {
    [`GET ${at}`]: () => ({ batch }),
    [`POST ${at}/pause`]: () => ({ batch: (batch = buildBatch({ state: 'paused' })) }),
    [`POST ${at}/resume`]: () => ({ batch: (batch = buildBatch()) }),
  })
  await browser.click(await entry('Pause'))
  expect(server.requests.some(({ key }) => key === `POST ${at}/pause`)).toBe(false)
  await browser.click((await dialog()).getByRole('button', { name: 'Pause' }))
  await browser.click(await entry('Resume'))
  expect(await entry('Pause')).toBeTruthy()
})

test('a batch is cancelled after a question; a refusal is in the dialog', async () => {
  const { server, browser } = await open(buildBatch(), {
    [`POST ${at}/cancel`]: () => refuse('batch.cancelled'),
  })
  await browser.click(await entry('Cancel'))
  const asked = await dialog()
  expect(asked.getByText(/597 rows in the queue/)).toBeTruthy()
  await browser.click(asked.getByRole('button', { name: 'Cancel this batch' }))
  expect((await asked.findByRole('alert')).textContent).toMatch(/cancelled/)
  const cancelled = buildBatch({ state: 'cancelled', counts: { succeeded: 403, cancelled: 597 } })
  server.use({
    [`POST ${at}/cancel`]: () => ({ batch: cancelled }),
    [`GET ${at}`]: () => ({ batch: cancelled }),
  })
  await browser.click(asked.getByRole('button', { name: 'Cancel this batch' }))
  await entry('Cancelled 597')
  for (const name of ['Pause', 'Cancel', 'Resume', /^Retry/])
    expect(screen.queryByRole('button', { name })).toBeNull()
})

test('the rejected are sent again after a question, and followed again', async () => {
  const events = openEvents()
  let batch = finished
  const { server, browser } = await open(batch, {
    [`GET ${at}`]: () => ({ batch }),
    [`GET ${at}/events`]: () => events.response,
    [`POST ${at}/retry`]: () => {
      batch = buildBatch({ counts: { succeeded: 997, queued: 3 } })
      return { batch, retried: 3 }
    },
  })
  expect(server.requests.some(({ key }) => key === `GET ${at}/events`)).toBe(false)
  await browser.click(await entry('Retry 3 rejected'))
  await browser.click((await dialog()).getByRole('button', { name: 'Send again' }))
  await entry('Queued 3')
  await waitFor(() =>
    expect(server.requests.some(({ key }) => key === `GET ${at}/events`)).toBe(true),
  )
  expect(screen.queryByRole('button', { name: /^Retry/ })).toBeNull()
})

test('without the permission nothing can be done with it, but its results are there', async () => {
  await open(buildBatch(), {}, ['workflow.operate'])
  expect(await entry('Results')).toBeTruthy()
  for (const name of ['Pause', 'Cancel', /^Retry/])
    expect(screen.queryByRole('button', { name })).toBeNull()
})

test('the results are downloaded, CSV with the mark of UTF-8', async () => {
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved.push(blob as Blob)
    return 'blob:results'
  })
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined)
  const { server, browser } = await open(finished, {
    [`GET ${at}/results`]: () => new Response('line,run_id\r\n1,41\r\n'),
  })
  await browser.click(await entry('Results'))
  await browser.click(await screen.findByRole('menuitem', { name: /CSV/ }))
  await waitFor(() => expect(saved).toHaveLength(1))
  const bytes = new Uint8Array(await saved[0]!.arrayBuffer())
  expect(Array.from(bytes.slice(0, 3))).toEqual([0xef, 0xbb, 0xbf])
  expect(server.requests.at(-1)?.query).toEqual({ format: 'csv' })
})

test('a batch that is not there says so', async () => {
  watchConsoleErrors()
  renderApp({
    path: '/dashboard/admin/workflows/7/batches/99',
    answers: {
      'GET /api/workflows/:id': () => buildWorkflow(),
      [`GET ${at}`]: () => refuse('batch.not_found'),
    },
  })
  expect(await screen.findByText('The batch could not be loaded.')).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'Batch 99' })).toBeTruthy()
})
