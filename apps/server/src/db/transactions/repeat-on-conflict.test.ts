import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../../../test/test-database.ts'
import { inTransactionOn } from '../../stores.ts'
import type { Db } from '../connect.ts'
import { isPostgres } from '../dialect.ts'
import { repeatOnConflict } from './repeat-on-conflict.ts'
import { keyOf } from '../../../test/rows/carry-document.ts'

const deadlock = () => Object.assign(new Error('deadlock detected'), { code: '40P01' })

it('a transaction that lost against another is done again', async () => {
  const codes = ['40P01', '40001']
  const done = await repeatOnConflict(async () => {
    const code = codes.shift()
    if (code) throw Object.assign(new Error('conflict'), { code })
    return 'done'
  })
  expect(done).toBe('done')
})

it('five times at most, and its last error is thrown as it is', async () => {
  const errors: Error[] = []
  const work = async () => {
    errors.push(deadlock())
    throw errors.at(-1) ?? new Error('none')
  }
  const last = await repeatOnConflict(work).catch((error: unknown) => error)
  expect(errors).toHaveLength(5)
  expect(last).toBe(errors[4])
})

it('another error is thrown at once', async () => {
  let times = 0
  const work = async () => {
    times++
    throw Object.assign(new Error('taken'), { code: '23505' })
  }
  await expect(repeatOnConflict(work)).rejects.toThrow('taken')
  expect(times).toBe(1)
})

describe('two transactions on PostgreSQL that wait for each other', () => {
  let database: { db: Db; drop: () => Promise<void> }
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  it('are both done', async ({ skip }) => {
    const { db } = database
    // SQLite has one writer: the second does not begin before the first has ended.
    if (!isPostgres(db)) skip()
    const inTransaction = inTransactionOn(db, { now: () => new Date() })
    const key = keyOf
    for (const reference of ['A', 'B'])
      await db
        .insertInto('document')
        .values({ ...key(reference), state: 'open', created_at: 'now', updated_at: 'now' })
        .execute()
    let waiting = 0
    let meet = () => {}
    const met = new Promise<void>((resolve) => (meet = resolve))
    let times = 0
    const change = (first: string, second: string) =>
      inTransaction(async ({ documents }) => {
        times++
        const one = await documents.getByReference(key(first))
        await documents.update(one.id, { qr: `${one.qr ?? ''}${first}` })
        if (++waiting === 2) meet()
        await met
        const two = await documents.getByReference(key(second))
        await documents.update(two.id, { authority_reference: first })
      })
    await Promise.all([change('A', 'B'), change('B', 'A')])
    // The one that lost begins again at once, and may meet the other a second time.
    expect(times).toBeGreaterThanOrEqual(3)
    const rows = await db.selectFrom('document').select(['reference', 'qr']).execute()
    // What the loser had done was rolled back, and done once.
    expect(rows.toSorted((a, b) => a.reference.localeCompare(b.reference))).toEqual([
      { reference: 'A', qr: 'A' },
      { reference: 'B', qr: 'B' },
    ])
  })
})
