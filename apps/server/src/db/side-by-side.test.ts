import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { createEmptyPostgres } from '../../test/test-database.ts'
import { lastOfBaseline } from './adoption/adopt.ts'
import { connect, type Db } from './connect.ts'
import { migrate } from './migrate.ts'

/**
 * The last migration of the release that servers may still run while others run this version. A release
 * moves it to its own last one.
 */
const released = lastOfBaseline

interface Shape {
  type: string
  /** An insert may leave it out. */
  isOptional: boolean
}

/** Every column of every table, as `table.column`. */
async function shapeOf(db: Db): Promise<Map<string, Shape>> {
  const tables = await db.introspection.getTables()
  const columns = tables.flatMap(({ name, columns: found }) =>
    found.map((column) => [`${name}.${column.name}`, column] as const),
  )
  return new Map(
    columns.map(([name, { dataType, isNullable, hasDefaultValue, isAutoIncrementing }]) => [
      name,
      {
        type: dataType.toLowerCase(),
        isOptional: isNullable || hasDefaultValue || isAutoIncrementing,
      },
    ]),
  )
}

/** What a server of the release would trip over. */
function breaches(before: Map<string, Shape>, after: Map<string, Shape>): string[] {
  const tables = new Set([...before.keys()].map((name) => name.split('.')[0]))
  const lost = [...before].flatMap(([name, { type, isOptional }]) => {
    const now = after.get(name)
    if (!now) return [`${name} is gone`]
    if (now.type !== type) return [`${name} was ${type} and is ${now.type}`]
    return isOptional && !now.isOptional ? [`${name} may not be left out any more`] : []
  })
  const demanded = [...after]
    .filter(([name]) => !before.has(name) && tables.has(name.split('.')[0]))
    .filter(([, { isOptional }]) => !isOptional)
    .map(([name]) => `${name} is new and may not be left out`)
  return [...lost, ...demanded]
}

async function openReleased() {
  const postgres = await createEmptyPostgres()
  const db = connect(postgres ? { kind: 'postgres', url: postgres.url } : { kind: 'memory' })
  onTestFinished(async () => {
    await db.destroy()
    await postgres?.drop()
  })
  await migrate(db, released)
  return { db, before: await shapeOf(db) }
}

it('a server of the last release finds every table and column as it knows them', async () => {
  const { db, before } = await openReleased()
  expect(before.size).toBeGreaterThan(300)
  await migrate(db)
  expect(breaches(before, await shapeOf(db))).toEqual([])
})

it.each([
  [
    'a column that is removed',
    'alter table alarm_channel drop column settings',
    'alarm_channel.settings is gone',
  ],
  ['a table that is renamed', 'alter table lane_rate rename to lane_speed', 'lane_rate.'],
  [
    'a new column that every insert has to fill',
    'create table replaced (id integer); drop table hook_receipt; create table hook_receipt (hook_id integer not null, receipt_key text not null, run_id integer not null, remove_at text not null, extra text not null)',
    'hook_receipt.extra is new and may not be left out',
  ],
])('%s would be noticed', async (_what, change, words) => {
  const { db, before } = await openReleased()
  for (const statement of change.split(';')) await sql.raw(statement).execute(db)
  expect(breaches(before, await shapeOf(db)).join('\n')).toContain(words)
})
