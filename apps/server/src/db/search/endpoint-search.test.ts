import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { isPostgres } from '../dialect.ts'
import { findPage } from './endpoint-search.ts'
import type { Row } from '../tables.ts'

type Endpoint = Row<'endpoint'>

const count = 200
const words = ['Invoice', 'receipt', 'Credit note', 'status']

let database: TestDatabase
let endpoints: Endpoint[]

beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  const at = new Date(0).toISOString()
  const stored = { authentication: 0, version: 1, created_at: at, updated_at: at } as const
  const { id: api_id } = await db
    .insertInto('api')
    .values({
      ...stored,
      name: 'Ledger',
      name_key: 'ledger',
      context: 'ledger',
      api_protocol: 'http',
      gateway_status: 'active',
      api_access: 'internally',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = Array.from({ length: count }, (_, index) => ({
    ...stored,
    api_id,
    method_type: index % 3 === 0 ? ('get' as const) : ('post' as const),
    status: index % 5 === 0 ? ('disabled' as const) : ('active' as const),
    path: `/${(index * 7) % 20}/${index}`,
    path_key: `/${index}`,
    summary: `Send ${words[index % words.length]} ${index}`,
    description: `To branch ${(index * 11) % 17}`,
  }))
  await db.insertInto('endpoint').values(rows).execute()
  endpoints = await db.selectFrom('endpoint').selectAll().orderBy('id').execute()
})
afterAll(() => database.drop())

const searches = [[], ['send'], ['invoice'], ['credit', 'branch 1'], ['12'], ['ledger'], ['none']]
const sorts = ['id', '-id', 'path', '-path', 'description', 'status', '-method_type']

describe.each([0, 7, 20_000])('where %i hits are gathered at most', (gatheredMax) => {
  it.each(sorts)('every page is that of a plain look at all endpoints, by %s', async (sort) => {
    for (const search of searches)
      for (const status of [undefined, 'active'] as const)
        for (const page of [1, 4]) {
          const filters = status ? [sql<boolean>`endpoint.status = ${status}`] : []
          const found = await findPage(
            database.db,
            { words: search, filters },
            { sort, page, limit: 10 },
            gatheredMax,
          )
          const all = endpoints
            .filter((each) => !status || each.status === status)
            .filter((each) => search.every((word) => textOf(each).includes(word)))
            .toSorted(byColumn(sort))
          const ids = all.slice((page - 1) * 10, page * 10).map(({ id }) => id)
          expect(found, JSON.stringify({ search, status, page })).toEqual({
            ids,
            total: all.length,
          })
        }
  })
})

const textOf = ({ description, summary, path }: Endpoint) =>
  [description, summary, path, 'Ledger'].join('\n').toLowerCase()

function byColumn(sort: string) {
  const column = sort.replace('-', '') as 'id' | 'path'
  const direction = sort.startsWith('-') ? -1 : 1
  return (a: Endpoint, b: Endpoint) =>
    direction * (a[column] < b[column] ? -1 : a[column] > b[column] ? 1 : a.id - b.id)
}

it('PostgreSQL reads a page of every order from an index alone', async () => {
  const { db } = database
  if (!isPostgres(db)) return
  await db.transaction().execute(async (transaction) => {
    // With few rows it would read and sort them all.
    await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`.execute(
      transaction,
    )
    for (const column of ['path', 'description', 'status', 'method_type']) {
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select id from endpoint_search
        where status = 'active' and api_id = 1 and method_type = 'post'
        order by ${sql.ref(column)} desc, id desc limit 10`.execute(transaction)
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toContain('Index Only Scan')
    }
  })
})
