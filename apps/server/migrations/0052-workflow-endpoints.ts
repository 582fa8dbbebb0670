import { sql, type Kysely } from 'kysely'

/** The endpoints that the versions of workflows in force call: these can't be deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('workflow_endpoint')
    .addColumn('workflow_id', 'integer', (column) =>
      column.notNull().references('workflow.id').onDelete('cascade'),
    )
    .addColumn('endpoint_id', 'integer', (column) => column.notNull().references('endpoint.id'))
    .addPrimaryKeyConstraint('workflow_endpoint_pk', ['workflow_id', 'endpoint_id'])
    .execute()
  await db.schema
    .createIndex('workflow_endpoint_by_endpoint')
    .on('workflow_endpoint')
    .column('endpoint_id')
    .execute()
  await fill(db)
}

/** An endpoint may have been deleted since: its workflow says so. */
async function fill(db: Kysely<unknown>): Promise<void> {
  const { rows: workflows } = await sql<{
    id: number
    version: number
  }>`select id, version from workflow where deleted_at is null`.execute(db)
  const { rows: endpoints } = await sql<{ id: number }>`select id from endpoint`.execute(db)
  const known = new Set(endpoints.map(({ id }) => id))
  for (const { id, version } of workflows) {
    const { rows } = await sql<{
      definition: string
    }>`select definition from workflow_version where workflow_id = ${id} and version = ${version}`.execute(
      db,
    )
    for (const endpoint of stepsOf(rows[0]?.definition).filter((each) => known.has(each)))
      await sql`insert into workflow_endpoint (workflow_id, endpoint_id) values (${id}, ${endpoint})`.execute(
        db,
      )
  }
}

function stepsOf(definition = '{"steps":[]}'): number[] {
  const { steps } = JSON.parse(definition) as { steps: { endpoint_id: number }[] }
  return [...new Set(steps.map(({ endpoint_id }) => endpoint_id))]
}
