import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { createStores } from '../../stores.ts'
import { NodeSeat } from './node-seat.ts'

const time = { now: new Date('2026-06-01T08:00:00Z') }
const clock = { now: () => time.now }
const later = (seconds: number) => (time.now = new Date(time.now.getTime() + seconds * 1000))
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const nodesOf = () => createStores(database.db, clock).nodes
const seatOf = (instanceId: string, place: string, isAlone = false) =>
  new NodeSeat({
    instanceId,
    place,
    isAlone,
    clock,
    nodes: nodesOf(),
    name: `machine of ${place}`,
    version: '0.0.0',
    lookEveryMs: 1,
  })

it('a copy of a folder is refused as soon as the original gives a sign of life', async () => {
  const id = randomUUID()
  const original = seatOf(id, 'boot 1 2')
  expect(await original.take()).toBeUndefined()
  let holder: unknown = 'not decided'
  const copying = seatOf(id, 'boot 1 3')
    .take()
    .then((found) => (holder = found))
  for (let turns = 0; turns < 5; turns++) await turn()
  expect(holder).toBe('not decided')
  expect(await original.beat('{}')).toBe(true)
  await copying
  expect(holder).toMatchObject({ name: 'machine of boot 1 2' })
  expect(await original.beat('{}')).toBe(true)
})

it('the same folder starts at once after a crash: its lock says that the one before is dead', async () => {
  const id = randomUUID()
  await seatOf(id, 'boot 1 2').take()
  expect(await seatOf(id, 'boot 1 2').take()).toBeUndefined()
})

it('each start is noted beside those before, twenty at most', async () => {
  const id = randomUUID()
  const from = time.now.getTime()
  for (let start = 0; start < 23; start++) {
    await seatOf(id, 'boot 1 2').take()
    later(1)
  }
  const row = await nodesOf().find(id)
  const starts = JSON.parse(row?.starts ?? '[]') as string[]
  expect(starts.map((at) => (Date.parse(at) - from) / 1_000)).toEqual(
    Array.from({ length: 20 }, (_, at) => at + 3),
  )
})

it('a folder that comes to another machine after a crash starts when 30 s have passed', async () => {
  const id = randomUUID()
  await seatOf(id, '').take()
  later(29)
  let isTaken = false
  const taking = seatOf(id, '')
    .take()
    .then((holder) => (isTaken = holder === undefined))
  for (let turns = 0; turns < 20; turns++) await turn()
  expect(isTaken).toBe(false)
  later(1)
  await taking
  expect(isTaken).toBe(true)
})

it('starts at once after a stop, and with SQLite', async () => {
  const id = randomUUID()
  const first = seatOf(id, 'a')
  await first.take()
  await first.leave()
  expect(await seatOf(id, 'b').take()).toBeUndefined()
  expect(await seatOf(id, 'c', true).take()).toBeUndefined()
})

it('one of two that start at once gets it', async () => {
  const id = randomUUID()
  const seats = ['a', 'b'].map((place) => seatOf(id, place))
  const won: NodeSeat[] = []
  const lost: NodeSeat[] = []
  const taking = seats.map(async (seat) => ((await seat.take()) ? lost : won).push(seat))
  await Promise.race(taking)
  while (lost.length === 0) {
    expect(await won[0]?.beat('{}')).toBe(true)
    // Queries of SQLite take no turn of the event loop, which timers need.
    await turn()
  }
  await Promise.all(taking)
  expect([won.length, lost.length]).toEqual([1, 1])
})

it('a server whose identity was taken learns it by its next sign of life', async () => {
  const id = randomUUID()
  const frozen = seatOf(id, 'a')
  await frozen.take()
  later(30)
  expect(await seatOf(id, 'b').take()).toBeUndefined()
  expect(await frozen.beat('{}')).toBe(false)
})

it('goes on after a sign of life whose answer was lost', async () => {
  const id = randomUUID()
  const nodes = nodesOf()
  let isLost = true
  const seat = new NodeSeat({
    instanceId: id,
    place: 'a',
    isAlone: false,
    clock,
    name: 'x',
    version: '0',
    nodes: {
      ...nodes,
      change: async (last, change) => {
        const isChanged = await nodes.change(last, change)
        if (isLost) throw new Error('The connection broke.')
        return isChanged
      },
    },
  })
  await seat.take()
  await expect(seat.beat('{}')).rejects.toThrow('broke')
  isLost = false
  expect(await seat.beat('{}')).toBe(true)
  expect(await nodes.find(id)).toMatchObject({ beat: 2 })
})

it('goes on where a standby took over without its last signs of life, or without any', async () => {
  const id = randomUUID()
  const seat = seatOf(id, '')
  await seat.take()
  const standby = await nodesOf().find(id)
  for (let beats = 0; beats < 3; beats++) expect(await seat.beat('{}')).toBe(true)
  const { db } = database
  const mine = db.updateTable('node').where('instance_id', '=', id)
  await mine.set({ beat: standby!.beat, seen_at: standby!.seen_at }).execute()
  expect(await seat.beat('{}')).toBe(true)
  expect(await seat.beat('{}')).toBe(true)
  await db.deleteFrom('node').where('instance_id', '=', id).execute()
  expect(await seat.beat('{"is":"back"}')).toBe(true)
  expect(await nodesOf().find(id)).toMatchObject({ state: '{"is":"back"}' })
  expect(await seat.beat('{}')).toBe(true)
  // Another one has it now, with a number that is lower, too.
  await mine.set({ start_id: randomUUID(), beat: 0 }).execute()
  expect(await seat.beat('{}')).toBe(false)
})
