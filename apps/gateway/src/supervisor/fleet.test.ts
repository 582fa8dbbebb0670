import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TlsSettings } from '../messages/worker-settings.ts'
import type { Fleet } from './fleet.ts'
import { openHarness, snapshotOf, testSettings, type Harness } from './testing/fleet-harness.ts'
import { request, startLoad } from './testing/steady-load.ts'

let harness: Harness
beforeEach(() => {
  harness = openHarness()
})
afterEach(() => harness.end())

const urlOf = (fleet: Fleet, path = '/t/ping') => `http://127.0.0.1:${fleet.address.port}${path}`
const pids = (fleet: Fleet) => fleet.workers().map(({ pid }) => pid)
const isWhole = (fleet: Fleet) => fleet.workers().every(({ state }) => state === 'serving')

async function serving(size = 2): Promise<Fleet> {
  const fleet = harness.start({ size })
  expect(await fleet.publish(snapshotOf(1))).toEqual({ accepted: size, refusal: undefined })
  expect(await fleet.ready()).toBe(true)
  return fleet
}

describe('a configuration', () => {
  it('is what makes workers listen, and every one of them runs on it when it is published', async () => {
    const fleet = harness.start()
    expect((await request(urlOf(fleet))).text).toBe('ECONNREFUSED')
    await fleet.publish(snapshotOf(1))
    await fleet.ready()
    expect(await request(urlOf(fleet))).toEqual({ status: 200, text: '"1"' })
    await fleet.publish(snapshotOf(2))
    expect(fleet.workers().map(({ revision }) => revision)).toEqual([2, 2])
    for (let each = 0; each < 20; each++) expect((await request(urlOf(fleet))).text).toBe('"2"')
  })

  it('that is refused leaves the one before in force, also in workers that come later', async () => {
    const fleet = await serving()
    const bad = { ...snapshotOf(2), endpoints: [{ id: 'none' }] }
    const { accepted, refusal } = await fleet.publish(bad)
    expect(accepted).toBe(0)
    expect(refusal).toMatch(/^Worker 1: ./)
    await fleet.rollingRestart()
    expect(fleet.workers().map(({ revision }) => revision)).toEqual([1, 1])
    expect((await request(urlOf(fleet))).text).toBe('"1"')
  })
})

describe('a worker that is killed', () => {
  it('under load costs no more than what it had in flight, and comes back', async () => {
    const fleet = await serving()
    const before = pids(fleet)
    const connections = 8
    const load = startLoad(urlOf(fleet), connections)
    await load.after(200)
    process.kill(before[0] ?? 0, 'SIGKILL')
    await vi.waitFor(() => expect(pids(fleet)[0]).not.toBe(before[0]))
    await vi.waitFor(() => expect(isWhole(fleet)).toBe(true))
    await load.after(200)
    const { failures } = await load.stop()
    expect(failures.length).toBeLessThanOrEqual(connections)
    for (const failure of failures) expect(failure).toMatch(/^0 (ECONNRESET|EPIPE|socket hang up)/)
    expect(fleet.workers()).toMatchObject([{ restarts: 1 }, { restarts: 0, pid: before[1] }])
    expect(harness.logged).toContain('a worker of the gateway died and is started again')
  })

  it('and is the only one leaves the port open: a client that connects meanwhile is answered by the next', async () => {
    const fleet = await serving(1)
    for (let round = 0; round < 3; round++) {
      const [pid] = pids(fleet)
      process.kill(pid ?? 0, 'SIGKILL')
      await expect.poll(() => fleet.workers()[0]?.state).not.toBe('serving')
      expect(await request(urlOf(fleet))).toEqual({ status: 200, text: '"1"' })
    }
  })
})

it('a worker that is stuck is killed and replaced', async () => {
  if (process.platform === 'win32') return
  const fleet = harness.start({ size: 1, checkMs: 3_000 })
  await fleet.publish(snapshotOf(1))
  await fleet.ready()
  const [pid] = pids(fleet)
  process.kill(pid ?? 0, 'SIGSTOP')
  await vi.waitFor(() => expect(pids(fleet)).not.toContain(pid))
  expect((await request(urlOf(fleet))).text).toBe('"1"')
})

describe('a rolling restart', () => {
  it('under load fails no request and replaces every worker', async () => {
    const fleet = await serving()
    const before = pids(fleet)
    const load = startLoad(urlOf(fleet), 8)
    await load.after(100)
    await fleet.rollingRestart()
    await load.after(100)
    const { failures } = await load.stop()
    expect(failures).toEqual([])
    expect(isWhole(fleet)).toBe(true)
    for (const pid of pids(fleet)) expect(before).not.toContain(pid)
    expect(fleet.workers().map(({ restarts }) => restarts)).toEqual([0, 0])
  })

  it('leaves the workers as they are where a new one does not come up', async () => {
    let tls: TlsSettings | null = null
    const fleet = harness.start({ size: 1, settings: () => ({ ...testSettings(), tls }) })
    await fleet.publish(snapshotOf(1))
    await fleet.ready()
    const before = pids(fleet)
    tls = { cert: 'no certificate', key: 'no key', ticketKeys: '' }
    await fleet.rollingRestart()
    expect(pids(fleet)).toEqual(before)
    expect((await request(urlOf(fleet))).status).toBe(200)
    expect(harness.logged).toContain('a new worker did not come up; the others stay as they are')
  })
})

describe('a stop', () => {
  it('lets what is in flight finish, counts it, and gives the port back', async () => {
    const arrived = Promise.withResolvers<() => void>()
    const upstream = createServer((_, response) => arrived.resolve(() => response.end('late')))
    upstream.listen(0, '127.0.0.1')
    await once(upstream, 'listening')
    const { port } = upstream.address() as AddressInfo
    const fleet = harness.start()
    await fleet.publish(snapshotOf(1, `http://127.0.0.1:${port}`))
    await fleet.ready()
    const answer = request(urlOf(fleet, '/t/slow'))
    const finish = await arrived.promise
    const stopped = fleet.stop()
    await expect.poll(async () => (await request(urlOf(fleet))).text).toBe('ECONNREFUSED')
    finish()
    expect(await answer).toEqual({ status: 200, text: 'late' })
    await stopped
    expect(harness.reports.flatMap(({ traffic }) => traffic)).toContainEqual(
      expect.objectContaining({ endpoint_id: 2, status: 200, requests: 1 }),
    )
    upstream.close()
  })
})
