import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { openWorld } from '../../../test/time/machine-clock.ts'
import type { Clock } from '../../kernel/clock.ts'
import { inTransactionOn } from '../../stores.ts'
import { Duty } from './duty.ts'

const time = { now: new Date('2026-06-01T08:00:00Z') }
const clock = { now: () => time.now }
const later = (seconds: number) => (time.now = new Date(time.now.getTime() + seconds * 1000))
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const dutyOf = (owner: string, name: string, by: Clock = clock) =>
  new Duty({ name, owner, clock: by, inTransaction: inTransactionOn(database.db, by) })

it('one server does it at a time, and another goes on a minute after that one has stopped', async () => {
  const rounds: string[] = []
  const first = dutyOf('first', 'watch')
  const second = dutyOf('second', 'watch')
  const roundsOf = (name: string) => async () => void rounds.push(name)
  await first.round(roundsOf('first'))
  await second.round(roundsOf('second'))
  later(59)
  await first.round(roundsOf('first'))
  later(59)
  await second.round(roundsOf('second'))
  expect(rounds).toEqual(['first', 'first'])
  later(1)
  await second.round(roundsOf('second'))
  await first.round(roundsOf('first'))
  expect(rounds).toEqual(['first', 'first', 'second'])
  expect(await first.hold()).toBe(false)
  expect(await second.hold()).toBe(true)
})

it('a round is told when the one before it ended, on any server', async () => {
  const seen: (Date | null)[] = []
  const look = async (last: Date | null) => void seen.push(last)
  await dutyOf('first', 'clean').round(look)
  const ended = time.now
  later(120)
  await dutyOf('second', 'clean').round(look)
  expect(seen).toEqual([null, ended])
})

it('a round that fails does not count as done', async () => {
  const duty = dutyOf('first', 'fail')
  const failing = duty.round(async () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  await duty.round(async (last) => expect(last).toBeNull())
  expect.assertions(2)
})

it('stays with its server whatever the clocks of machines and database show', async () => {
  const world = openWorld(database.db)
  const one = await world.machine()
  const ahead = await world.machine(2 * 60_000)
  const first = dutyOf('first', 'clocks', one.clock)
  const second = dutyOf('second', 'clocks', ahead.clock)
  expect([await first.hold(), await second.hold()]).toEqual([true, false])
  ahead.setAhead(3_600_000)
  expect(await second.hold()).toBe(false)
  for (const aheadMs of [3_600_000, -3_600_000]) {
    world.pass(2_000)
    world.setDatabaseAhead(aheadMs)
    expect([await second.hold(), await first.hold()]).toEqual([false, true])
  }
  // The first is dead from here on; what it holds is from before the time was set back.
  world.setDatabaseAhead(-7_200_000)
  world.pass(2_000)
  expect(await second.hold()).toBe(false)
  world.pass(60_000)
  expect(await second.hold()).toBe(true)
})
