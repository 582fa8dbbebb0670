import { afterAll, beforeAll, expect, it } from 'vitest'
import { LeaseModel } from '../../../test/lease-model/lease-model.ts'
import { createRandom } from '../../../test/run-model/random.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'

const steps = 4_000

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const met = new Set<string>()

it.each([1, 2, 3, 4])(
  'no server does what another has taken, and all work gets done (%i)',
  async (seed) => {
    const model = new LeaseModel(database.db, createRandom(seed))
    await model.begin()
    for (let step = 0; step < steps; step++) {
      await model.step()
      expect(model.faults, `after step ${step}`).toEqual([])
    }
    expect(await model.end()).toBe(true)
    expect(model.faults).toEqual([])
    for (const [what] of model.met) met.add(what)
  },
)

it('has happened: no promise was kept for want of trying', () => {
  const all = ['acted', 'claimed', 'finished', 'too late', 'renewed', 'not renewed']
  const harm = ['asleep', 'failed', 'frozen', 'jumped', 'restarted']
  expect([...met]).toEqual(expect.arrayContaining([...all, ...harm, 'unconfirmed']))
})
