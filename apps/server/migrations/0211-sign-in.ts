import type { Kysely } from 'kysely'
import { byDefault, ownedBy, required } from '../src/db/columns.ts'

/** Tokens that were obtained from authorities, one row per credential. Servers share them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sign_in_token')
    .addColumn('api_id', 'integer', ownedBy('api.id'))
    // live or test.
    .addColumn('which', 'text', required)
    // Counted up with each token and with each change of the credential.
    .addColumn('version', 'integer', byDefault(0))
    // Fingerprints of the credential, encrypted: whether the rest belongs to the credential of today.
    .addColumn('credential_seal', 'text')
    .addColumn('token_encrypted', 'text')
    .addColumn('refresh_token_encrypted', 'text')
    .addColumn('scope', 'text', byDefault(''))
    .addColumn('obtained_at', 'text')
    .addColumn('expires_at', 'text')
    .addColumn('is_refused', 'integer', byDefault(0))
    .addColumn('message', 'text', byDefault(''))
    // A renewal was sent, and its answer never arrived: it may have used up the refresh token.
    .addColumn('is_answer_lost', 'integer', byDefault(0))
    // Sign-ins that failed in a row, and when the next may be tried.
    .addColumn('failures', 'integer', byDefault(0))
    .addColumn('next_attempt_at', 'text')
    // Renewals because an upstream refused the token, and the last of them.
    .addColumn('refused_tokens', 'integer', byDefault(0))
    .addColumn('refused_token_at', 'text')
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'text')
    // SQLite adds one column at a time.
    .addColumn('refresh_expires_at', 'text')
    // Since when it has that end: renewals may move it, or come ever closer to it.
    .addColumn('refresh_since', 'text')
    .addPrimaryKeyConstraint('sign_in_token_pk', ['api_id', 'which'])
    .execute()
}
