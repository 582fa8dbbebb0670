import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { runSummary } from '@gatehouse/contract'
import { expect, it, onTestFinished } from 'vitest'
import { json, runOf, startRunServer } from '../../../../test/servers/run-server.ts'
import type { Caller } from '../../../kernel/caller.ts'
import { RunEvents } from './run-events.ts'
import { RunFeed } from '../ledger/reading/run-feed.ts'

const summary = runSummary.parse({
  id: 1,
  state: 'running',
  kind: 'tax',
  is_test: false,
  is_dry_run: false,
  steps: [],
})

const user = { name: '', email: '', username: '', roles: [], role: '', permissions: [] }

/** Streams of runs that never end, for users by their ids. */
function streams() {
  const events = new RunEvents({
    feed: new RunFeed(),
    summary: async () => summary,
    isSessionOpen: async () => true,
  })
  const callerOf = (id: number): Caller => ({
    user: { ...user, id },
    sessionId: id,
    isSuperAdmin: false,
  })
  return (user: number) => events.follow(1, callerOf(user), new AbortController().signal)
}

it('one user has at most ten streams, and others have places beside them', async () => {
  const follow = streams()
  const own = Array.from({ length: 10 }, () => follow(1))
  for (const each of own) await each.next()
  expect(() => follow(1)).toThrow(expect.objectContaining({ code: 'server.busy' }))
  expect((await follow(2).next()).done).toBe(false)
  await own[0]?.return(undefined)
  expect((await follow(1).next()).done).toBe(false)
})

it('all users together have at most 200', async () => {
  const follow = streams()
  for (let each = 0; each < 200; each++) await follow(each).next()
  expect(() => follow(1000)).toThrow(expect.objectContaining({ code: 'server.busy' }))
})

it('a stream that ends before it is read leaves its place', async () => {
  const follow = streams()
  for (let each = 0; each < 20; each++) await follow(1).return(undefined)
  expect((await follow(1).next()).done).toBe(false)
})

it('several that are asked for before any is read get no more places than there are', async () => {
  const follow = streams()
  const ask = async () => follow(1)
  const asked = await Promise.allSettled(Array.from({ length: 12 }, ask))
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
})

it('the head alone starts no stream', async () => {
  const app = await startRunServer()
  onTestFinished(() => app.close())
  const post = await app.endpoint()
  const { id } = runOf(await app.tax([{ end_point: post, body: '{}' }]))
  const answer = await app.server.app.inject({
    method: 'HEAD',
    url: `/api/runs/${id}/events`,
    headers: { authorization: `Bearer ${app.token}` },
  })
  expect(answer.statusCode).toBe(404)
})

it('ends when its reader signs out, while the run goes on', async () => {
  const app = await startRunServer()
  onTestFinished(() => app.close())
  await app.server.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.app.server.address() as AddressInfo
  const [arrived, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  app.answer((...exchange) => {
    arrived.resolve()
    void gate.promise.then(() => json(200, {})(...exchange))
  })
  const slow = await app.createApi({ name: 'Slow', answer_timeout_ms: 60_000 })
  const end_point = await app.endpoint({}, slow)
  const key = randomUUID()
  const sent = app.tax([{ end_point, body: '{}' }], { key })
  await arrived.promise
  const { id } = runOf(
    await app.server.send('GET', `/api/runs/by-key/${key}`, { token: app.token }),
  )
  const reader = await app.person(['run.view'])
  const response = await fetch(`http://127.0.0.1:${port}/api/runs/${id}/events`, {
    headers: { authorization: `Bearer ${reader.token}` },
  })
  const stream = response.body?.getReader()
  expect((await stream?.read())?.done).toBe(false)
  expect((await app.post('/api/logout', {}, reader.token)).status).toBeLessThan(300)
  expect((await stream?.read())?.done).toBe(true)
  expect((await app.show(id)).state).toBe('running')
  gate.resolve()
  expect((await sent).status).toBe(200)
})
