import type { Kysely } from 'kysely'
import { idColumn } from '../src/db/columns.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('user')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('email_key', 'text', (column) => column.notNull().unique())
    .addColumn('username', 'text', (column) => column.notNull())
    .addColumn('username_key', 'text', (column) => column.notNull().unique())
    // Null: the account can't sign in.
    .addColumn('password_hash', 'text')
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('role')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('name_key', 'text', (column) => column.notNull().unique())
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()

  await db.schema
    .createTable('permission')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .execute()

  await db.schema
    .createTable('role_permission')
    .addColumn('role_id', 'integer', (column) =>
      column.notNull().references('role.id').onDelete('cascade'),
    )
    .addColumn('permission_id', 'integer', (column) => column.notNull().references('permission.id'))
    .addPrimaryKeyConstraint('role_permission_pk', ['role_id', 'permission_id'])
    .execute()

  await db.schema
    .createTable('user_role')
    .addColumn('user_id', 'integer', (column) =>
      column.notNull().references('user.id').onDelete('cascade'),
    )
    .addColumn('role_id', 'integer', (column) =>
      column.notNull().references('role.id').onDelete('cascade'),
    )
    .addPrimaryKeyConstraint('user_role_pk', ['user_id', 'role_id'])
    .execute()

  await db.schema
    .createTable('session')
    .addColumn('id', ...idColumn(db))
    .addColumn('user_id', 'integer', (column) =>
      column.notNull().references('user.id').onDelete('cascade'),
    )
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('last_used_at', 'text', (column) => column.notNull())
    .addColumn('ended_at', 'text')
    .execute()
  await db.schema
    .createIndex('session_user')
    .on('session')
    .columns(['user_id', 'address'])
    .execute()
}
