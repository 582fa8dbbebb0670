import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { keyOf } from '../../../test/rows/carry-document.ts'
import { createEmptyPostgres } from '../../../test/test-database.ts'
import { connect } from '../../db/connect.ts'
import { migrate } from '../../db/migrate.ts'
import { documentStore } from './document-store.ts'

// Documents of before there were registers.

const before = '0239-submit-journal'

async function upgraded(rows: readonly (readonly [reference: string, state: string])[]) {
  const postgres = await createEmptyPostgres()
  const db = connect(postgres ? { kind: 'postgres', url: postgres.url } : { kind: 'memory' })
  onTestFinished(async () => {
    await db.destroy()
    await postgres?.drop()
  })
  await migrate(db, before)
  for (const [reference, state] of rows)
    await sql`insert into document (kind, is_test, reference, state, original_reference, created_at, updated_at)
      values ('tax', 0, ${reference}, ${state}, ${`of ${reference}`}, '2026-06-01', '2026-06-01')`.execute(
      db,
    )
  await sql`insert into document_quarter (at, api_id, state, documents)
    values ('2026-06-01T00:00:00.000Z', 1, 'open', 3)`.execute(db)
  const { rows: last } = await sql<{ id: number }>`delete from document
    where id = (select max(id) from document) returning id`.execute(db)
  await migrate(db)
  return { db, lastId: last[0]!.id }
}

const spare = ['removed', 'open'] as const

it('are found by their numbers, however these are written, in the one register', async () => {
  const { db, lastId } = await upgraded([
    ['INV-1', 'accepted'],
    ['Cafe\u0301-1', 'unknown'],
    ['\u200fA 2\u2060', 'open'],
    spare,
  ])
  const documents = documentStore(db)
  for (const [reference, state] of [
    ['INV-1', 'accepted'],
    ['Caf\u00e9-1', 'unknown'],
    ['A 2', 'open'],
  ] as const)
    expect(await documents.findByReference(keyOf(reference))).toMatchObject({
      register: 'default',
      state,
      original_key: `of ${reference}`,
    })
  expect(await documents.findByReference(keyOf('INV-1', 'another'))).toBeUndefined()
  // What they were shown as stays, their counts too, and no id is given twice.
  const shown = await db.selectFrom('document').select('reference').orderBy('id').execute()
  expect(shown.map(({ reference }) => reference)).toEqual([
    'INV-1',
    'Cafe\u0301-1',
    '\u200fA 2\u2060',
  ])
  expect(await db.selectFrom('document_quarter').selectAll().execute()).toMatchObject([
    { register: 'default', documents: 3 },
  ])
  const { id } = await db
    .insertInto('document')
    .values({ ...keyOf('next'), state: 'open', created_at: '', updated_at: '' })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect(id).toBeGreaterThan(lastId)
})

it.each([
  [['A-1', 'accepted'], ['\u200bA-1', 'not_accepted'], 'A-1'],
  [['A-1', 'not_accepted'], ['\u200bA-1', 'accepted'], '\u200bA-1'],
  [['\u200bA-1', 'unknown'], ['A-1\u200b', 'open'], '\u200bA-1'],
  [['\u200bA-1', 'open'], ['A-1\u200b', 'pending'], 'A-1\u200b'],
] as const)(
  'of two that are the same now, the most severe guards the number: %j and %j',
  async (one, other, guarding) => {
    const { db } = await upgraded([[...one], [...other], [...spare]])
    expect(await documentStore(db).findByReference(keyOf('A-1'))).toMatchObject({
      reference: guarding,
    })
    const rows = await db.selectFrom('document').select(['reference', 'state']).execute()
    expect(rows).toHaveLength(2)
  },
)

it('a number that is taken goes on to be refused, and changes to be counted', async () => {
  const { db } = await upgraded([['INV-1', 'accepted'], ['\u200bINV-2', 'unknown'], spare])
  await db
    .insertInto('run')
    .values({
      kind: 'tax',
      state: 'running',
      is_test: 0,
      user_id: 1,
      user_name: 'A',
      request_id: 'r',
      created_at: '2026-06-01',
    })
    .execute()
  const { id: run } = await db.selectFrom('run').select('id').executeTakeFirstOrThrow()
  const documents = documentStore(db)
  const change = { original_reference: null, api_id: null, updated_at: '2026-06-02T08:00:00Z' }
  for (const reference of ['INV-1', 'INV-2']) {
    await documents.claim(keyOf(reference), run, change, { isOfApi: false })
    expect(await documents.findByReference(keyOf(reference))).toMatchObject({ run_id: null })
  }
  const { id } = await documents.getByReference(keyOf('INV-2'))
  await documents.update(id, { state: 'accepted', updated_at: '2026-06-02T08:00:00Z' })
  const changes = await db
    .selectFrom('document_change')
    .select(['register', 'state', 'documents'])
    .orderBy('documents')
    .execute()
  expect(changes).toEqual([
    { register: 'default', state: 'unknown', documents: -1 },
    { register: 'default', state: 'accepted', documents: 1 },
  ])
})
