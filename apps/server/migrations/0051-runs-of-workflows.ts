import { sql, type Kysely } from 'kysely'
import { allowLongStatements } from '../src/db/dialect.ts'

/** The history of a workflow is listed by time, whole or of one state. */
const indexes = {
  run_by_workflow: ['workflow_id', 'created_at', 'id'],
  run_by_workflow_and_state: ['workflow_id', 'state', 'created_at', 'id'],
}

export async function up(db: Kysely<unknown>): Promise<void> {
  await allowLongStatements(db)
  await db.schema.dropIndex('run_by_workflow').execute()
  for (const [name, columns] of Object.entries(indexes))
    await db.schema
      .createIndex(name)
      .on('run')
      .columns(columns)
      .where(sql.ref('workflow_id'), 'is not', null)
      .execute()
}
