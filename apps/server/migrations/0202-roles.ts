import type { Kysely } from 'kysely'
import { byDefault, idColumn, naming, ownedBy, required, unique } from '../src/db/columns.ts'

/** Roles and what they permit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('role')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', required)
    .addColumn('name_key', 'text', unique)
    .addColumn('version', 'integer', byDefault(1))
    .addColumn('access_version', 'integer', byDefault(1))
    .addColumn('needs_second_factor', 'integer', byDefault(0))
    .execute()
  await db.schema
    .createTable('permission')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', unique)
    .execute()
  await db.schema
    .createTable('role_permission')
    .addColumn('role_id', 'integer', ownedBy('role.id'))
    .addColumn('permission_id', 'integer', naming('permission.id'))
    .addPrimaryKeyConstraint('role_permission_pk', ['role_id', 'permission_id'])
    .execute()
  await db.schema
    .createTable('user_role')
    .addColumn('user_id', 'integer', ownedBy('user.id'))
    .addColumn('role_id', 'integer', ownedBy('role.id'))
    .addPrimaryKeyConstraint('user_role_pk', ['user_id', 'role_id'])
    .execute()
}
