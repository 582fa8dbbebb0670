import { afterEach, beforeEach, expect, it } from 'vitest'
import { changesTo, openHarness, snapshotOf, type Harness } from './testing/fleet-harness.ts'
import { request } from './testing/steady-load.ts'

let harness: Harness
beforeEach(() => {
  harness = openHarness()
})
afterEach(() => harness.end())

/** Many times, so that each worker answers. */
async function expectAnswer(port: number, text: string): Promise<void> {
  for (let at = 0; at < 20; at++)
    expect(await request(`http://127.0.0.1:${port}/t/ping`)).toMatchObject({ text })
}

it('changes are in force in every worker, in those that come later, and in those that missed some', async () => {
  const fleet = harness.start()
  await fleet.publish(snapshotOf(1))
  await fleet.ready()
  expect(await fleet.publish(snapshotOf(2), changesTo(2))).toEqual({
    accepted: 2,
    refusal: undefined,
  })
  await expectAnswer(fleet.address.port, '"2"')
  // They never had revision 3: they get the configuration whole.
  expect(await fleet.publish(snapshotOf(4), changesTo(4))).toEqual({
    accepted: 2,
    refusal: undefined,
  })
  await fleet.rollingRestart()
  expect(fleet.workers()).toMatchObject([{ revision: 4 }, { revision: 4 }])
  await expectAnswer(fleet.address.port, '"4"')
})

it('a worker is sent the changes alone', async () => {
  const fleet = harness.start({ size: 1 })
  await fleet.publish(snapshotOf(1))
  await fleet.ready()
  // Taken whole, it would be refused.
  const broken = { ...snapshotOf(2), apis: 'none' }
  expect(await fleet.publish(broken, changesTo(2))).toMatchObject({ accepted: 1 })
  await expectAnswer(fleet.address.port, '"2"')
})

it('changes that workers refuse leave what is in force; the next configuration is sent whole', async () => {
  const fleet = harness.start({ size: 1 })
  await fleet.publish(snapshotOf(1))
  await fleet.ready()
  const broken = { ...changesTo(2), removed_apis: [1] }
  const { refusal } = await fleet.publish(snapshotOf(2), broken)
  expect(refusal).toBe('Worker 1: Endpoint 1 belongs to no API.')
  await expectAnswer(fleet.address.port, '"1"')
  expect(await fleet.publish(snapshotOf(3), changesTo(3))).toMatchObject({ accepted: 1 })
  await expectAnswer(fleet.address.port, '"3"')
})
