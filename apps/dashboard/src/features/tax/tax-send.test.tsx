import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  alwaysEnds,
  findToast,
  keptTax,
  later,
  renderTax,
  sent,
} from '../../testing/bundle-screen.ts'
import { buildUser } from '../../testing/builders.ts'
import { refuse } from '../../testing/fake-server.ts'
import {
  buildRunDetail,
  buildSummary,
  buildUnknownStep,
  openEvents,
} from '../../testing/run-builders.ts'

const going = buildSummary('running', ['sending', 'waiting'])
const halfway = buildSummary('running', ['succeeded', 'sending'])
const unknown = buildSummary('unknown', ['succeeded', 'unknown'])
const unknownDetail = buildRunDetail({ state: 'unknown', steps: [buildUnknownStep()] })
const steps = () => within(screen.getByRole('list', { name: 'Steps of run 41' }))
const sendButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send Request' })

test('two clicks send once, and the run is shown step by step while it goes on', async () => {
  const post = later()
  const events = openEvents()
  const { server, browser } = await renderTax({
    'POST /api/tax': post.answer,
    'GET /api/runs/by-key/:key': () => ({ run: going }),
    'GET /api/runs/:id/events': () => events.response,
  })
  await browser.dblClick(sendButton())
  expect(await screen.findByText(/^Step 1 of 2: waiting for the answer/)).toBeTruthy()
  expect(steps().getByText('Sending…')).toBeTruthy()
  events.run(halfway)
  expect(await screen.findByText(/^Step 2 of 2: waiting for the answer/)).toBeTruthy()
  expect(steps().getByText('Succeeded')).toBeTruthy()
  post.give(sent(buildSummary('succeeded')))
  await findToast('Request sent successfully!')
  expect(server.bodiesOf('POST /api/tax')).toHaveLength(1)
})

test('what is said of the run after its answer, and is older, takes nothing back', async () => {
  const post = later()
  const events = openEvents()
  let run = going
  const { press } = await renderTax({
    'POST /api/tax': post.answer,
    'GET /api/runs/by-key/:key': () => ({ run }),
    'GET /api/runs/:id/events': () => events.response,
  })
  await press('Send Request')
  await screen.findByText(/^Step 1 of 2/)
  run = buildSummary('succeeded')
  post.give(sent(run))
  // The answer is taken in, and nothing is drawn yet.
  for (let times = 0; times < 100; times++) await Promise.resolve()
  events.run(halfway)
  await findToast('Request sent successfully!')
  await waitFor(() => expect(sendButton().dataset['loading']).toBeUndefined())
  const shown = within(screen.getByRole('region', { name: /^run 41$/i }))
  expect(shown.getByText('Every step succeeded.')).toBeTruthy()
})

test('what is ticked is healed: the request says so, and only then', async () => {
  const { server, browser, press } = await renderTax(alwaysEnds(buildSummary('succeeded')))
  await press('Send Request')
  await findToast('Request sent successfully!')
  await browser.click(screen.getByRole('checkbox', { name: /^Ask by itself/ }))
  await press('Send Request')
  await waitFor(() => expect(server.bodiesOf('POST /api/tax')).toHaveLength(2))
  const [first, second] = server.bodiesOf('POST /api/tax')
  expect(first).not.toHaveProperty('heal')
  expect(second).toMatchObject({ heal: true })
})

test('after a definite result the next Send has another key; the same content asks first', async () => {
  const { server, press } = await renderTax(alwaysEnds(buildSummary('succeeded')))
  const keys = () =>
    server.requests
      .filter(({ key }) => key === 'POST /api/tax')
      .map(({ headers }) => headers.get('idempotency-key'))
  await press('Send Request')
  await findToast('Request sent successfully!')
  await waitFor(() => expect(keptTax()['key']).not.toBe(keys()[0]))
  await press('Send Request')
  expect(await screen.findByText(/You have just sent exactly this/)).toBeTruthy()
  await press('Send again')
  await waitFor(() => expect(keys()).toHaveLength(2))
  expect(keys()[1]).not.toBe(keys()[0])
})

test('over an unknown outcome nothing new is sent; another request is begun only after a warning', async () => {
  const { browser, press } = await renderTax({
    ...alwaysEnds(unknown),
    'GET /api/runs/:id': () => unknownDetail,
  })
  await press('Send Request')
  expect(await findToast('Failed to send request.')).toContain('not known')
  const held = keptTax()['key']
  await waitFor(() => expect(sendButton().disabled).toBe(true))
  expect(await screen.findByRole('button', { name: 'It was received' })).toBeTruthy()
  await press('Start another request')
  expect(await screen.findByText(/^The last request may have been received/)).toBeTruthy()
  await browser.click(screen.getByRole('button', { name: 'Start another' }))
  await waitFor(() => expect(sendButton().disabled).toBe(false))
  expect(keptTax()['key']).not.toBe(held)
})

test('an answer that is lost does not lose the run: it is found by its key', async () => {
  const { server, press } = await renderTax({
    'POST /api/tax': () => Promise.reject(new TypeError('Failed to fetch')),
    'GET /api/runs/by-key/:key': () => ({ run: buildSummary('succeeded') }),
  })
  await press('Send Request')
  expect(await screen.findByText('Every step succeeded.')).toBeTruthy()
  const [post, look] = ['POST /api/tax', 'GET /api/runs/by-key/:key'].map((key) =>
    server.requests.find((seen) => seen.key === key),
  )
  expect(look?.params['key']).toBe(post?.headers.get('idempotency-key'))
})

test('after a reload in the middle the run is found by its key and followed to its end', async () => {
  const first = await renderTax({
    'POST /api/tax': later().answer,
    'GET /api/runs/by-key/:key': () => ({ run: going }),
    'GET /api/runs/:id/events': () => openEvents().response,
  })
  await first.press('Send Request')
  await screen.findByText(/^Step 1 of 2/)
  const key = keptTax()['key']
  cleanup()

  const events = openEvents()
  const { server } = await renderTax({
    'GET /api/runs/by-key/:key': () => ({ run: going }),
    'GET /api/runs/:id/events': () => events.response,
  })
  expect(await screen.findByText(/^Step 1 of 2/)).toBeTruthy()
  const look = server.requests.find((seen) => seen.key === 'GET /api/runs/by-key/:key')
  expect(look?.params['key']).toBe(key)
  expect(server.bodiesOf('POST /api/tax')).toEqual([])
  events.run(buildSummary('rejected', ['succeeded', 'rejected']))
  expect(await screen.findByText(/^The endpoint rejected it\./)).toBeTruthy()
  await waitFor(() => expect(keptTax()['key']).not.toBe(key))
})

test('a Send that never reached the server is said so, and tried again with the same key', async () => {
  sessionStorage.setItem('gatehouse.tax.1', '{"key":"the-same-key","sentKey":"the-same-key"}')
  const { server, press } = await renderTax(alwaysEnds(buildSummary('succeeded')))
  const title = 'Your last request did not reach the server'
  expect(await screen.findByText(title)).toBeTruthy()
  await press('Send Request')
  await findToast('Request sent successfully!')
  const post = server.requests.find((seen) => seen.key === 'POST /api/tax')
  expect(post?.headers.get('idempotency-key')).toBe('the-same-key')
})

test('a run that blocks the request is named, with a link to it', async () => {
  const { press } = await renderTax({
    'POST /api/tax': () =>
      Response.json(
        { message: 'It may have been accepted.', code: 'document.may_be_accepted', run_id: 7 },
        { status: 409 },
      ),
  })
  await press('Send Request')
  const alert = within(await screen.findByRole('alert', { name: 'Nothing was sent.' }))
  expect(alert.getByRole('link', { name: 'run 7' })).toBeTruthy()
})

test('a request that was sent before is reported as such', async () => {
  const { press } = await renderTax(
    alwaysEnds(buildSummary('succeeded'), { 'idempotent-replay': 'true' }),
  )
  await press('Send Request')
  expect(await findToast('Request sent successfully!')).toContain('nothing was sent again')
})

test('a user who may not view runs still sees how their own went', async () => {
  const user = buildUser({ permissions: ['dashboard.view', 'tax.view', 'tax.send'] })
  const { server, press } = await renderTax(
    { ...alwaysEnds(unknown), 'GET /api/runs/:id': () => refuse('permission.denied') },
    user,
  )
  await press('Send Request')
  await findToast('Failed to send request.')
  expect(steps().getByText('Outcome unknown')).toBeTruthy()
  expect(screen.queryByRole('link', { name: /run 41/i })).toBeNull()
  expect(server.requests.some(({ key }) => key === 'GET /api/runs/:id')).toBe(false)
})
