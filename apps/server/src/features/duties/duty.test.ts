import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
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

const dutyOf = (owner: string, name: string) =>
  new Duty({ name, owner, clock, inTransaction: inTransactionOn(database.db, clock) })

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
