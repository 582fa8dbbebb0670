import type { Kysely } from 'kysely'

/** When the refresh token of a sign-in ends, where its authority says so. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // SQLite adds one column at a time.
  await db.schema.alterTable('sign_in_token').addColumn('refresh_expires_at', 'text').execute()
  // Since when it has that end: renewals may move it, or come ever closer to it.
  await db.schema.alterTable('sign_in_token').addColumn('refresh_since', 'text').execute()
}
