import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * What a running product keeps: that it is there, what it does at the moment, and how its configuration has
 * changed. No id comes twice (`sqlite_sequence`), so nothing that it remembers of a record meets another one.
 */
const kept = new Set([
  'archive_round',
  'config_change',
  'config_revision',
  'duty',
  'key_check',
  'kysely_migration',
  'node',
  'search_progress',
  'sqlite_sequence',
])

interface Named {
  name: string
  sql: string
}

/**
 * Gives every table of the database in `folder`, which a product is using, the rows that it has in the one of `from`.
 * The gateway learns of it with the next change.
 */
export function restoreDatabase(folder: string, from: string): void {
  const database = open(folder)
  try {
    database.prepare('attach ? as template').run(join(from, 'gatehouse.sqlite'))
    database.exec('begin immediate')
    // They refuse to remove events of the trail.
    const guards = database
      .prepare(`select name, sql from main.sqlite_schema where type = 'trigger' and name like ?`)
      .all('audit_event_no_%') as unknown as Named[]
    for (const { name } of guards) database.exec(`drop trigger main."${name}"`)
    database.exec('delete from main.text_search where rowid in (select id from main.run)')
    for (const name of tablesOf(database)) {
      database.exec(`delete from main."${name}"`)
      database.exec(`insert into main."${name}" select * from template."${name}"`)
    }
    for (const { sql } of guards) database.exec(sql)
    database.exec('commit')
  } finally {
    database.close()
  }
}

/** Foreign keys are off: each table gets its rows on its own. */
function open(folder: string): DatabaseSync {
  const options = { timeout: 60_000, enableForeignKeyConstraints: false }
  return new DatabaseSync(join(folder, 'gatehouse.sqlite'), options)
}

/** Those with rows of their own. Triggers remove what searches their texts, but for `text_search`. */
function tablesOf(database: DatabaseSync): string[] {
  const all = database
    .prepare(`select name, sql from main.sqlite_schema where type = 'table' order by name`)
    .all() as unknown as Named[]
  const indexes = all.filter(({ sql }) => sql.startsWith('CREATE VIRTUAL')).map(({ name }) => name)
  const isOfIndex = (name: string) =>
    indexes.some((index) => name === index || name.startsWith(`${index}_`))
  return all.map(({ name }) => name).filter((name) => !kept.has(name) && !isOfIndex(name))
}
