import { sql, type Kysely } from 'kysely'
import { allowLongStatements } from '../src/db/dialect.ts'

/** What the list of endpoints is filtered by: each index has all of it, so that no row is read to skip it. */
const filters = ['api_id', 'status', 'method_type']

/** One index for each filter and each order of the list. Texts count with as many characters as fit an index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await allowLongStatements(db)
  const first = {
    of_api: 'api_id',
    by_status: 'status',
    by_method: 'method_type',
    by_path: 'substr(lower(path), 1, 100)',
    by_description: 'substr(lower(description), 1, 100)',
  }
  for (const [name, column] of Object.entries(first)) {
    const others = filters.filter((each) => each !== column).join(', ')
    await sql
      .raw(`create index endpoint_${name} on endpoint (${column}, id, ${others})`)
      .execute(db)
  }
  await db.schema
    .createIndex('role_endpoint_by_endpoint')
    .on('role_endpoint')
    .columns(['endpoint_id', 'role_id'])
    .ifNotExists()
    .execute()
}
