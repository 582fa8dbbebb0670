import { sql, type Expression, type SqlBool } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuditAction } from '@gatehouse/contract'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { auditStore } from '../../features/audit/audit-store.ts'
import { documentHistoryStore } from '../../features/documents/document-history-store.ts'
import { documentStore } from '../../features/documents/document-store.ts'
import { isPostgres } from '../dialect.ts'
import { hitsMax } from '../long-list.ts'
import { findHits, newestMax } from './search.ts'
import { keyOf } from '../../../test/rows/carry-document.ts'

const references = [
  'INV-2026-000001',
  'inv-2026-000002',
  'a"b',
  '100%_x',
  'NEAR(a b)',
  'Größe 漢字漢 😀😀😀',
  'ab',
  `it's {reference} : *`,
  'x'.repeat(200),
]

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  const at = '2026-06-01T08:00:00.000Z'
  await database.db
    .insertInto('document')
    .values(
      references.map((reference, index) => ({
        ...keyOf(reference),
        state: 'accepted' as const,
        authority_reference: index === 0 ? 'AUT-77' : null,
        created_at: at,
        updated_at: at,
      })),
    )
    .execute()
})
afterAll(() => database.drop())

const found = async (search: string, filters: Expression<SqlBool>[] = []) => {
  const { ids } = await findHits(database.db, { table: 'document', search, filters }, 100, 'asc')
  const rows = await database.db.selectFrom('document').select(['id', 'reference']).execute()
  return ids.map((id) => rows.find((row) => row.id === id)?.reference)
}

describe.each([
  ['looked up', []],
  ['walked', [sql<SqlBool>`document.kind = 'tax'`]],
])('%s', (_, filters) => {
  it.each([
    ['inv-2026', references.slice(0, 2)],
    ['INV-2026-000002', [references[1]]],
    ['26-0', references.slice(0, 2)],
    ['aut-77', [references[0]]],
    ['a"b', [references[2]]],
    ['%_x', [references[3]]],
    ['(a b', [references[4]]],
    ['NEAR(', [references[4]]],
    ['漢字漢', [references[5]]],
    ['😀😀', [references[5]]],
    ['ab', [references[6]]],
    ['{reference} : *', [references[7]]],
    ['x'.repeat(100), [references[8]]],
    ['nowhere', []],
    ['"', [references[2]]],
    ["' or 1 = 1 --", []],
  ])('%s', async (search, expected) => {
    expect(await found(search, filters)).toEqual(expected)
  })
})

it('follows changes and deletes', async () => {
  const { db } = database
  const documents = documentStore(db)
  const key = keyOf('to be changed')
  const now = '2026-06-01T08:00:00.000Z'
  await db
    .insertInto('document')
    .values({ ...key, state: 'open', created_at: now, updated_at: now })
    .execute()
  const { id } = await documents.getByReference(key)
  await documents.update(id, { authority_reference: 'AUT-1234' })
  await documents.update(id, { authority_reference: 'AUT-5678', state: 'accepted' })
  expect(await found('aut-1234')).toEqual([])
  expect(await found('aut-5678')).toEqual([key.reference])
  expect(await found('to be ch')).toEqual([key.reference])
  await db.deleteFrom('document').where('id', '=', id).execute()
  expect(await found('to be ch')).toEqual([])
  if (!isPostgres(db))
    await sql`insert into document_search (document_search) values ('integrity-check')`.execute(db)
})

it('keeps to the columns that are named', async () => {
  const audit = auditStore(database.db, { now: () => new Date('2026-06-01T08:00:00Z') })
  const by = { requestId: 'r', address: '10.0.0.1', user: { id: 1, name: 'api.user' } }
  await audit.record(by, { action: 'user.update', thing: 'user', name: 'one' })
  const choice = { page: 1, limit: 10, search: '' }
  expect((await audit.list({ ...choice, action: 'api.' })).total).toBe(0)
  expect((await audit.list({ ...choice, actor: 'API.' })).total).toBe(1)
  expect((await audit.list({ ...choice, search: 'api.' })).total).toBe(1)
})

it.each(['id', '-id', 'reference', '-updated_at'] as const)(
  'every page lies where it would if the list were walked from its start: %s',
  async (sort) => {
    const documents = documentHistoryStore(database.db)
    const list = (page: number, limit: number) => documents.list({ page, limit, search: '', sort })
    const { rows: all, total } = await list(1, 100)
    expect(total).toBe(references.length)
    const pages = await Promise.all([1, 2, 3, 4, 5, 6].map((page) => list(page, 2)))
    expect(pages.flatMap(({ rows }) => rows).map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    expect(pages[5]).toMatchObject({ rows: [], total, hasMore: false })
  },
)

describe('among many rows', () => {
  const bulk = newestMax
  const page = { page: 1, limit: 10 }
  beforeAll(async () => {
    const { db } = database
    await sql`insert into document (kind, is_test, reference, reference_key, state, created_at, updated_at)
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(bulk)})
      select 'tax', 0, 'bulk ' || n, 'bulk ' || n, case when n <= 3 then 'unknown' else 'accepted' end, '2026-06-02', '2026-06-02' from numbers`.execute(
      db,
    )
  })

  it('one or two characters are looked for in the newest, and the answer says so', async () => {
    const documents = documentHistoryStore(database.db)
    const short = await documents.list({ ...page, search: 'b' })
    expect(short).toMatchObject({ total: hitsMax, hasMore: true, isSearchPartial: true })
    expect(await found('ab')).toEqual([])
    // Three characters find what is older.
    const long = await documents.list({ ...page, search: 'aut-77' })
    expect(long.rows.map(({ reference }) => reference)).toEqual([references[0]])
    expect(long).toMatchObject({ total: 1, hasMore: false, isSearchPartial: false })
  })

  it('other filters stand beside a text of many hits', async () => {
    const documents = documentHistoryStore(database.db)
    const { rows, total } = await documents.list({ ...page, search: 'BULK', state: 'unknown' })
    expect(rows.map(({ reference }) => reference)).toEqual(['bulk 3', 'bulk 2', 'bulk 1'])
    expect(total).toBe(3)
    const many = await documents.list({ ...page, search: 'bulk', state: 'accepted' })
    expect(many).toMatchObject({ total: hitsMax, hasMore: true })
    expect(many.rows[0]?.reference).toBe(`bulk ${bulk}`)
  })

  it('a search shows the newest of its hits, or the oldest where they come first', async () => {
    const documents = documentHistoryStore(database.db)
    const list = async (sort: 'id' | '-id' | 'reference' | '-reference', at = 1) =>
      (await documents.list({ page: at, limit: 10, search: 'bulk', sort })).rows.map(
        ({ reference }) => reference,
      )
    expect((await list('id'))[0]).toBe('bulk 1')
    expect((await list('-id', 100)).at(-1)).toBe(`bulk ${bulk - hitsMax + 1}`)
    expect((await list('reference'))[0]).toBe(`bulk ${bulk - hitsMax + 1}`)
    expect((await list('-reference'))[0]).toBe(`bulk ${bulk}`)
    expect(await list('-id', 101)).toEqual([])
  })

  it('a list ends after 10,000 rows and says that there are more', async () => {
    const documents = documentHistoryStore(database.db)
    const last = await documents.list({ page: 1000, limit: 10, search: '' })
    expect(last).toMatchObject({ total: 10_000, hasMore: true, isSearchPartial: false })
    expect(last.rows.at(-1)?.reference).toBe(`bulk ${bulk - 10_000 + 1}`)
    expect((await documents.list({ page: 1001, limit: 10, search: '' })).rows).toEqual([])
  })
})

it('filters by the actors and actions that contain a text', async () => {
  const clock = { now: () => new Date('2026-06-01T08:00:00Z') }
  const audit = auditStore(database.db, clock)
  const record = (name: string, action: AuditAction) =>
    audit.record(
      { requestId: 'r', address: '10.0.0.1', user: { id: 1, name } },
      { action, thing: 'role', name: 'one' },
    )
  for (const name of ['Zoe_1', 'zoe%2', 'Other'])
    for (const action of ['role.create', 'role.update'] as const) await record(name, action)
  const total = async (filter: { actor?: string; action?: string; search?: string }) =>
    (await audit.list({ page: 1, limit: 10, search: '', thing: 'role', ...filter })).total
  expect(await total({ actor: 'ZOE' })).toBe(4)
  expect(await total({ actor: 'e_' })).toBe(2)
  expect(await total({ actor: 'e%', action: 'UPD' })).toBe(1)
  expect(await total({ action: 'role.' })).toBe(6)
  expect(await total({ action: 'nowhere' })).toBe(0)
  expect(await total({ actor: 'zoe', search: 'Other' })).toBe(0)
})
