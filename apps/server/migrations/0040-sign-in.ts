import type { Kysely } from 'kysely'

/**
 * How an API signs in to its upstream. What may be shown is JSON in a column of its own; the secrets
 * are sealed beside it. Those of `credential` are in `upstream_token_encrypted`, which holds the bare
 * token where `credential` is null: so the tokens of before stay as they are.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of [
    'credential',
    'test_credential',
    'test_credential_encrypted',
    'tls',
    'tls_encrypted',
    'static_headers',
  ]) {
    await db.schema.alterTable('api').addColumn(column, 'text').execute()
  }
  await db.schema.alterTable('endpoint').addColumn('static_headers', 'text').execute()
}
