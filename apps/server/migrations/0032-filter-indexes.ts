import { sql, type Kysely } from 'kysely'
import { allowLongStatements } from '../src/db/dialect.ts'

/** The audit trail is listed by time, so each filter has an index in that order. */
const auditIndexes = {
  actor: ['actor'],
  action: ['action'],
  actor_and_action: ['actor', 'action'],
  thing: ['thing'],
  outcome: ['outcome'],
}

/** Runs that still need a person, and those that do not. */
const runIndexes = {
  open: sql<boolean>`state not in ('running', 'succeeded') and overtaken_by is null and closed_at is null`,
  closed: sql<boolean>`closed_at is not null`,
  overtaken: sql<boolean>`overtaken_by is not null`,
}

export async function up(db: Kysely<unknown>): Promise<void> {
  await allowLongStatements(db)
  // Searches do not read texts in the order of time any longer.
  await db.schema.dropIndex('run_by_search').execute()
  for (const column of ['actor', 'action', 'outcome'])
    await db.schema.dropIndex(`audit_event_by_${column}`).execute()
  for (const [name, columns] of Object.entries(auditIndexes))
    await db.schema
      .createIndex(`audit_event_by_${name}`)
      .on('audit_event')
      .columns([...columns, 'at', 'id'])
      .execute()
  for (const [name, condition] of Object.entries(runIndexes))
    await db.schema
      .createIndex(`run_by_${name}`)
      .on('run')
      .columns(['created_at', 'id'])
      .where(condition)
      .execute()
}
