import { sql, type Kysely } from 'kysely'
import { allowLongStatements } from '../src/db/dialect.ts'

/** Tags of APIs and endpoints as JSON; a filter reads the index, which only holds rows that have some. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await allowLongStatements(db)
  for (const table of ['api', 'endpoint']) {
    await db.schema.alterTable(table).addColumn('tags', 'text').execute()
    await db.schema
      .createIndex(`${table}_tagged`)
      .on(table)
      .columns(['tags', 'id'])
      .where(sql<boolean>`tags is not null`)
      .execute()
  }
}
