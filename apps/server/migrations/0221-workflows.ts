import type { Kysely } from 'kysely'
import {
  byDefault,
  createIndexes,
  idColumn,
  naming,
  ownedBy,
  required,
  unique,
} from '../src/db/columns.ts'

/** Workflows with their versions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createWorkflow(db)
  await createWorkflowVersion(db)
  await createRoleWorkflow(db)
  await createWorkflowEndpoint(db)
  await createWorkflowCallback(db)
}

async function createWorkflow(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('workflow')
    .addColumn('id', ...idColumn(db))
    .addColumn('slug', 'text', unique)
    .addColumn('name', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('status', 'text', required)
    .addColumn('description', 'text', required)
    .addColumn('version', 'integer', required)
    .addColumn('lane_id', 'integer', naming('lane.id'))
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    // Its runs stay in the ledger. A deleted workflow gives its slug back.
    .addColumn('deleted_at', 'text')
    .addColumn('steps_count', 'integer', byDefault(0))
    .execute()
  await createIndexes(db, 'workflow', {
    workflow_lane: ['lane_id'],
  })
}

async function createWorkflowVersion(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('workflow_version')
    .addColumn('workflow_id', 'integer', naming('workflow.id'))
    .addColumn('version', 'integer', required)
    // JSON: the whole definition.
    .addColumn('definition', 'text', required)
    .addColumn('user_id', 'integer', required)
    .addColumn('user_name', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('changes', 'text', byDefault(''))
    .addPrimaryKeyConstraint('workflow_version_pk', ['workflow_id', 'version'])
    .execute()
}

async function createRoleWorkflow(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('role_workflow')
    .addColumn('role_id', 'integer', ownedBy('role.id'))
    .addColumn('workflow_id', 'integer', ownedBy('workflow.id'))
    .addPrimaryKeyConstraint('role_workflow_pk', ['role_id', 'workflow_id'])
    .execute()
}

async function createWorkflowEndpoint(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('workflow_endpoint')
    .addColumn('workflow_id', 'integer', ownedBy('workflow.id'))
    .addColumn('endpoint_id', 'integer', naming('endpoint.id'))
    .addPrimaryKeyConstraint('workflow_endpoint_pk', ['workflow_id', 'endpoint_id'])
    .execute()
  await createIndexes(db, 'workflow_endpoint', {
    workflow_endpoint_by_endpoint: ['endpoint_id'],
  })
}

async function createWorkflowCallback(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('workflow_callback')
    .addColumn('workflow_id', 'integer', (column) => column.primaryKey().references('workflow.id'))
    .addColumn('host', 'text', required)
    // Sealed: see secret-box.ts.
    .addColumn('secret', 'text', required)
    .addColumn('set_at', 'text', required)
    .addColumn('old_secret', 'text')
    .addColumn('old_until', 'text')
    .execute()
}
