import type { Kysely } from 'kysely'

/** The cookie that lets a browser go to the download of logs: a hash, beside the session's token. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('session').addColumn('download_hash', 'text').execute()
  await db.schema
    .createIndex('session_download')
    .on('session')
    .column('download_hash')
    .unique()
    .execute()
}
