import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld } from '../../../test/time/machine-clock.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { holdNowAndThen, isHeld, isStillHeld } from './lease-time.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const minuteLater = (now: Date) => new Date(now.getTime() + 60_000).toISOString()

it('a lease is certainly held only until shortly before its end', async () => {
  const world = openWorld(database.db)
  const { clock } = await world.machine()
  const until = minuteLater(clock.now())
  expect(isHeld(clock, until)).toBe(true)
  world.pass(58_000)
  expect([isHeld(clock, until), await isStillHeld(clock, until)]).toEqual([false, false])
  expect(isHeld(clock, null)).toBe(false)
})

it('after a sleep of the machine nothing is certain before the time was asked for', async () => {
  const world = openWorld(database.db)
  const machine = await world.machine()
  const until = minuteLater(machine.clock.now())
  machine.sleep(10_000)
  expect(isHeld(machine.clock, until)).toBe(false)
  expect(await isStillHeld(machine.clock, until)).toBe(true)
  machine.sleep(120_000)
  expect(await isStillHeld(machine.clock, until)).toBe(false)
})

it('long work renews its lease now and then, and at once after a sleep of the machine', async () => {
  const world = openWorld(database.db)
  const machine = await world.machine()
  let renewed = 0
  const hold = async () => ++renewed < 3
  const goesOn = holdNowAndThen({ hold, clock: machine.clock }, 10_000)
  expect([await goesOn(), renewed]).toEqual([true, 0])
  // The shared time is known to some milliseconds only, on a busy machine to more.
  world.pass(15_000)
  expect([await goesOn(), await goesOn(), renewed]).toEqual([true, true, 1])
  machine.sleep(15_000)
  expect([await goesOn(), renewed]).toEqual([true, 2])
  machine.sleep(60_000)
  expect(await goesOn()).toBe(false)
})
