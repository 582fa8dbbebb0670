import { once } from 'node:events'
import { createServer } from 'node:http'
import { noTrafficPolicy } from '@gatehouse/contract'
import { expect, it, onTestFinished, vi } from 'vitest'
import { closedPort } from '../policy/testing/policy-gateway.ts'
import { openHarness, snapshotOf } from './testing/fleet-harness.ts'
import { request } from './testing/steady-load.ts'

it('a worker reports a breaker that a dead upstream opened, until a call succeeds again', async () => {
  const harness = openHarness()
  onTestFinished(() => harness.end())
  const upstream = await closedPort()
  const snapshot = snapshotOf(1, upstream)
  const circuit_breaker = {
    failure_percent: 50,
    window_seconds: 60,
    minimum_requests: 2,
    cool_down_seconds: 1,
  }
  const policy = { ...noTrafficPolicy, circuit_breaker }
  snapshot.apis = snapshot.apis.map((api) => ({ ...api, policy }))
  const fleet = harness.start({ size: 1 })
  await fleet.publish(snapshot)
  await fleet.ready()
  const url = `http://127.0.0.1:${fleet.address.port}/t/slow`
  const get = () => request(url)
  const openNow = () => fleet.workers()[0]?.openBreakers
  expect((await get()).status).toBe(502)
  await vi.waitFor(() => expect(harness.reports.at(-1)?.codes).toEqual({}))
  expect(openNow()).toEqual([])

  expect((await get()).status).toBe(502)
  expect((await get()).status).toBe(503)
  await vi.waitFor(() => expect(openNow()).toMatchObject([{ api_id: 1 }]))
  const [first] = openNow() ?? []
  // A trial that fails keeps it open, since the same moment.
  await vi.waitFor(async () => expect((await get()).status).toBe(502))
  await vi.waitFor(() => expect(openNow()?.[0]?.open_ms).toBeGreaterThan(first!.open_ms + 500))

  const alive = createServer((_, response) => void response.end('fine'))
  alive.listen(Number(new URL(upstream).port), '127.0.0.1')
  await once(alive, 'listening')
  onTestFinished(() => void alive.close())
  await vi.waitFor(async () => expect((await get()).status).toBe(200))
  await vi.waitFor(() => expect(openNow()).toEqual([]))
})
