import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { buildToken } from '../testing/build-snapshot.ts'
import { openHarness, snapshotOf, type Harness } from './testing/fleet-harness.ts'

let harness: Harness
beforeEach(() => {
  harness = openHarness()
})
afterEach(() => harness.end())

const workerFile = new URL('./testing/fragile-worker.ts', import.meta.url)

it('a configuration that ends every worker is refused, and they come back with the one before', async () => {
  const fleet = harness.start({ workerFile })
  expect(await fleet.publish(snapshotOf(1))).toEqual({ accepted: 2, refusal: undefined })
  await fleet.ready()
  const before = fleet.workers().map(({ pid }) => pid)
  expect(await fleet.publish(snapshotOf(2))).toEqual({
    accepted: 0,
    refusal: expect.stringContaining('No worker took it over') as string,
  })
  const serveAgain = () => {
    const workers = fleet.workers()
    expect(workers.map(({ state, revision }) => [state, revision])).toEqual([
      ['serving', 1],
      ['serving', 1],
    ])
    for (const { pid } of workers) expect(before).not.toContain(pid)
  }
  await vi.waitFor(serveAgain)
  expect(fleet.keptRevision).toBe(1)
  await fleet.rollingRestart()
  expect(fleet.workers().map(({ revision }) => revision)).toEqual([1, 1])
})

it('a configuration that workers run on already is not sent to them again, another of its number is', async () => {
  const fleet = harness.start({ workerFile })
  await fleet.publish(snapshotOf(1))
  await fleet.ready()
  const again = { ...snapshotOf(1), built_at: '2030-01-01T00:00:00.000Z' }
  expect(await fleet.publish(again)).toEqual({ accepted: 2, refusal: undefined })
  expect(await fleet.publish({ ...snapshotOf(1), tokens: [buildToken()] })).toMatchObject({
    accepted: 0,
  })
})

it('a configuration that is offered while no worker runs is taken over by the next one', async () => {
  const fleet = harness.start({ size: 1 })
  await fleet.publish(snapshotOf(1))
  await fleet.ready()
  process.kill(fleet.workers()[0]?.pid ?? 0, 'SIGKILL')
  await vi.waitFor(() => expect(fleet.workers()[0]?.state).toBe('ended'), {
    interval: 1,
  })
  expect(await fleet.publish(snapshotOf(2))).toEqual({ accepted: 0, refusal: undefined })
  await vi.waitFor(() => expect(fleet.keptRevision).toBe(2))
  expect(fleet.workers()[0]?.revision).toBe(2)
})
