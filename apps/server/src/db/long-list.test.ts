import { CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { auditStore, type AuditFilter } from '../features/audit/audit-store.ts'
import { isPostgres } from './dialect.ts'

const events = 3000
const actors = ['Amal', 'Bilal', 'Carla', 'Clerk 01', 'Clerk 02']
const actions = ['api.create', 'api.update', 'role.update', 'session.login']
const things = ['api', 'role', 'session'] as const

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  const rows = Array.from({ length: events }, (_, index) => ({
    at: new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 3) * 3_600_000).toISOString(),
    actor_id: 1,
    actor: actors[dice(index, 1, actors.length)] ?? '',
    address: `10.0.0.${dice(index, 2, 50)}`,
    request_id: `request-${dice(index, 3, 1000)}`,
    action: actions[dice(index, 4, actions.length)] ?? '',
    outcome: dice(index, 5, 20) === 0 ? ('refused' as const) : ('done' as const),
    thing: things[dice(index, 6, things.length)] ?? 'api',
    thing_id: 1 + dice(index, 7, 30),
    thing_name: `Thing ${dice(index, 7, 30)}`,
    before: null,
    after: null,
  }))
  for (let from = 0; from < events; from += 500)
    await database.db
      .insertInto('audit_event')
      .values(rows.slice(from, from + 500))
      .execute()
})
afterAll(() => database.drop())

/** The same in every run, and as if thrown. */
function dice(number: number, salt: number, sides: number): number {
  const mixed = Math.imul(Math.imul(number + 1, 0x9e3779b1) ^ (salt * 0x85ebca6b), 0xc2b2ae35)
  return ((mixed ^ (mixed >>> 13)) >>> 0) % sides
}

const pick = <T>(from: readonly T[], number: number, salt: number): T | undefined =>
  dice(number, salt, 3) === 0 ? from[dice(number, salt + 1, from.length)] : undefined

function choiceOf(number: number): AuditFilter {
  const day = (salt: number) => `2026-0${1 + dice(number, salt, 4)}-15`
  return {
    page: 1 + dice(number, 40, 5),
    limit: 1 + dice(number, 41, 30),
    search: pick(['clerk', 'UPDATE', 'thing 1', '10.0.0.7', 'al', 'nowhere'], number, 10) ?? '',
    actor: pick(['amal', 'clerk', 'l'], number, 12),
    action: pick(['api.update', 'update', 'login'], number, 14),
    thing: pick(things, number, 16),
    thing_id: pick([3, 7], number, 18),
    outcome: pick(['done', 'refused'], number, 20),
    from: pick([day(22)], number, 24),
    to: pick([day(26)], number, 28),
    sort: pick(['id', '-id', 'at', '-at', 'actor', '-action'], number, 30),
  }
}

it('200 random lists show what a plain look at every row finds, in the same order', async () => {
  const audit = auditStore(database.db, { now: () => new Date() })
  const all = await database.db.selectFrom('audit_event').selectAll().orderBy('id').execute()
  for (let number = 0; number < 200; number++) {
    const choice = choiceOf(number)
    const has = (text: string | undefined, ...values: string[]) =>
      !text || values.some((value) => value.toLowerCase().includes(text.toLowerCase()))
    const fits = all.filter(
      (row) =>
        has(choice.search, row.actor, row.action, row.thing_name, row.request_id, row.address) &&
        has(choice.actor, row.actor) &&
        has(choice.action, row.action) &&
        (!choice.thing || row.thing === choice.thing) &&
        (!choice.thing_id || row.thing_id === choice.thing_id) &&
        (!choice.outcome || row.outcome === choice.outcome) &&
        (!choice.from || row.at.slice(0, 10) >= choice.from) &&
        (!choice.to || row.at.slice(0, 10) <= choice.to),
    )
    const sort = choice.sort ?? '-at'
    const column = sort.replace('-', '') as 'id' | 'at' | 'actor' | 'action'
    const sign = sort.startsWith('-') ? -1 : 1
    // A search shows its newest 1,000 hits, or the oldest where they come first.
    const isOldestFirst = sign === 1 && (column === 'id' || column === 'at')
    const kept = !choice.search ? fits : isOldestFirst ? fits.slice(0, 1000) : fits.slice(-1000)
    kept.sort((a, b) => {
      for (const name of [column, 'at', 'id'] as const)
        if (a[name] !== b[name]) return a[name] < b[name] ? -sign : sign
      return 0
    })
    const { rows, total, hasMore } = await audit.list(choice)
    const start = (choice.page - 1) * choice.limit
    const expected = kept.slice(start, start + choice.limit).map(({ id }) => id)
    expect({ choice, ids: rows.map(({ id }) => id), total, hasMore }).toEqual({
      choice,
      ids: expected,
      total: kept.length,
      hasMore: fits.length > kept.length,
    })
  }
})

describe('the index', () => {
  const plan = (query: string) =>
    database.db.connection().execute(async (db) => {
      // PostgreSQL would read and sort a table as small as this.
      if (isPostgres(db))
        await sql`select set_config('enable_seqscan', 'off', false), set_config('enable_bitmapscan', 'off', false)`.execute(
          db,
        )
      const explain = isPostgres(db) ? 'explain (costs off)' : 'explain query plan'
      const { rows } = await db.executeQuery(CompiledQuery.raw(`${explain} ${query}`))
      return rows.map((row) => JSON.stringify(Object.values(row as object))).join('\n')
    })

  it.each([
    [
      "select id from audit_event where actor = 'a' and action = 'b'",
      'audit_event_by_actor_and_action',
    ],
    ["select id from audit_event where thing = 'api'", 'audit_event_by_thing'],
    ["select id from audit_event where action = 'b' and at >= '2026'", 'audit_event_by_action'],
    ["select id from audit_event where actor = 'b' and at >= '2026'", 'audit_event_by_actor'],
    ["select id from audit_event where at >= '2026' and at <= '2027'", 'audit_event_by_time'],
  ])('%s needs no sorting', async (query, index) => {
    const found = await plan(`${query} order by at desc, id desc limit 10`)
    expect(found).toContain(index)
    expect(found).not.toMatch(/TEMP B-TREE|Sort/)
  })

  it.each([
    [
      "select id from run where state not in ('running', 'succeeded', 'queued', 'pending', 'cancelled') and overtaken_by is null and closed_at is null",
      'run_by_open',
    ],
    ['select id from run where closed_at is not null', 'run_by_closed'],
    ['select id from run where overtaken_by is not null', 'run_by_overtaken'],
    ['select id from run where workflow_id = 3', 'run_by_workflow'],
    [
      "select id from run where workflow_id = 3 and state = 'rejected'",
      'run_by_workflow_and_state',
    ],
  ])('%s needs no sorting', async (query, index) => {
    const found = await plan(`${query} order by created_at desc, id desc limit 10`)
    expect(found).toContain(index)
    expect(found).not.toMatch(/TEMP B-TREE|Sort/)
  })

  it('the documents of an API, few or many, need no sorting', async () => {
    const found = await plan('select id from document where api_id = 7 order by id desc limit 10')
    expect(found).toContain('document_of_api')
    expect(found).not.toMatch(/TEMP B-TREE|Sort/)
  })
})
