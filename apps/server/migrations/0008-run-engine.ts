import { sql, type Kysely } from 'kysely'

/** Runs of several steps: leases, keys, frozen and resolved bodies, and what people decided. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = ['source_body', 'dependency_field', 'message', 'not_before', 'frozen_at'] as const

  for (const column of ['lease_owner', 'lease_until', 'client_key', 'unknown_since', 'alarmed_at'])
    await db.schema.alterTable('run').addColumn(column, 'text').execute()
  await db.schema.alterTable('run').addColumn('original_run_id', 'integer').execute()
  // Counted up whenever the run changes hands: who comes with an older one is refused.
  for (const column of ['epoch', 'is_dry_run'])
    await db.schema
      .alterTable('run')
      .addColumn(column, 'integer', (each) => each.notNull().defaultTo(0))
      .execute()
  // What the history is searched by, in small letters.
  await db.schema
    .alterTable('run')
    .addColumn('search_text', 'text', (each) => each.notNull().defaultTo(''))
    .execute()

  for (const column of text)
    await db.schema.alterTable('run_step').addColumn(column, 'text').execute()
  await db.schema.alterTable('run_step').addColumn('reused_from', 'integer').execute()
  for (const column of ['is_dry', 'has_credential'])
    await db.schema
      .alterTable('run_step')
      .addColumn(column, 'integer', (each) => each.notNull().defaultTo(0))
      .execute()

  await db.schema
    .alterTable('run_attempt')
    .addColumn('kind', 'text', (each) => each.notNull().defaultTo('send'))
    .execute()
  for (const column of ['user_name', 'note', 'reference', 'detail', 'url'])
    await db.schema.alterTable('run_attempt').addColumn(column, 'text').execute()
  await db.schema.alterTable('run_attempt').addColumn('user_id', 'integer').execute()

  await sql`update run_step set frozen_at = (select created_at from run where run.id = run_step.run_id)`.execute(
    db,
  )
  await sql`update run set search_text = lower(user_name || ' ' || request_id)`.execute(db)
  await sql`update run set unknown_since = coalesce(finished_at, created_at) where state = 'unknown'`.execute(
    db,
  )
  await createIndexes(db)
}

async function createIndexes(db: Kysely<unknown>): Promise<void> {
  // The history is listed by time. Each of these holds all that filters ask for, so that rows, which are
  // far wider, are read for the page alone.
  const facets = ['kind', 'state', 'is_test', 'user_id', 'user_name', 'reference']
  const beside = (first: string) => facets.filter((name) => name !== first)
  const indexes: Record<string, [string, string[]]> = {
    run_by_time: ['run', ['created_at', 'id', ...facets]],
    run_by_kind: ['run', ['kind', 'created_at', 'id', ...beside('kind')]],
    run_by_state: ['run', ['state', 'created_at', 'id', ...beside('state')]],
    run_by_test: ['run', ['is_test', 'created_at', 'id', ...beside('is_test')]],
    run_by_user: ['run', ['user_id', 'created_at', 'id']],
    run_by_user_name: ['run', ['user_name', 'created_at', 'id']],
    run_by_reference: ['run', ['reference', 'created_at', 'id']],
    run_by_search: ['run', ['created_at', 'id', 'search_text']],
    run_by_end: ['run', ['finished_at', 'id']],
    run_by_content: ['run', ['content_sha256']],
    run_by_client_key: ['run', ['client_key']],
    run_by_original: ['run', ['original_run_id']],
    run_step_by_endpoint: ['run_step', ['endpoint_id', 'state', 'run_id']],
  }
  for (const [name, [table, columns]] of Object.entries(indexes))
    await db.schema.createIndex(name).on(table).columns(columns).execute()
  // A run has at most one successor: of two who correct it at once, one is refused.
  await db.schema.createIndex('run_one_retry').unique().on('run').column('retry_of').execute()
}
