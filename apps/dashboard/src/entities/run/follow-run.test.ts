import { afterEach, expect, test, vi } from 'vitest'
import type { RunState, RunSummary } from '@gatehouse/contract'
import { fakeServer, refuse } from '../../testing/fake-server.ts'
import { buildSummary, openEvents } from '../../testing/run-builders.ts'
import { awaitRun, followRun } from './follow-run.ts'

afterEach(() => vi.useRealTimers())

const going = buildSummary('running', ['succeeded', 'sending'])
const ended = buildSummary('succeeded')
const { signal } = new AbortController()

test('a run is followed by its events until it has ended', async () => {
  const events = openEvents()
  const server = fakeServer({ 'GET /api/runs/:id/events': () => events.response })
  const seen: RunSummary[] = []
  const following = followRun({
    id: 41,
    signal,
    onRun: (run) => seen.push(run),
    poll: () => Promise.reject(new Error('not needed')),
  })
  events.run(going)
  events.send(': still here\n\n')
  events.run(ended)
  await following
  expect(seen.map(({ state }) => state)).toEqual(['running', 'succeeded'])
  expect(server.requests[0]?.headers.get('accept')).toBe('text/event-stream')
})

test('where events do not arrive, the state is polled until the run has ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  fakeServer({ 'GET /api/runs/:id/events': () => refuse('server.busy') })
  const states = ['running', 'running', 'unknown'] as const
  let polls = 0
  const following = followRun({
    id: 41,
    signal,
    onRun: () => undefined,
    poll: async () => states[polls++] ?? 'unknown',
  })
  await vi.advanceTimersByTimeAsync(3000)
  await following
  expect(polls).toBe(3)
})

test('a stream that stays silent is given up for polling', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  fakeServer({
    'GET /api/runs/:id/events': ({ signal }) =>
      new Promise<Response>((_, reject) => {
        signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
      }),
  })
  const poll = vi.fn<() => Promise<RunState>>(async () => 'succeeded')
  const following = followRun({ id: 41, signal, onRun: () => undefined, poll })
  await vi.advanceTimersByTimeAsync(4900)
  expect(poll).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(200)
  await following
  expect(poll).toHaveBeenCalledOnce()
})

test('the search for a run that has not begun yet is repeated, and ends after the given tries', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let looks = 0
  const server = fakeServer({
    'GET /api/runs/by-key/:key': () => (++looks < 3 ? refuse('run.not_found') : { run: ended }),
  })
  const found = awaitRun('tax', 'a-key', signal)
  await vi.advanceTimersByTimeAsync(5000)
  expect((await found)?.id).toBe(41)
  expect(server.requests[0]).toMatchObject({ params: { key: 'a-key' }, query: { kind: 'tax' } })

  server.use({ 'GET /api/runs/by-key/:key': () => refuse('run.not_found') })
  const lost = awaitRun('tax', 'a-key', signal, 2)
  await vi.advanceTimersByTimeAsync(5000)
  expect(await lost).toBeUndefined()
})
