import { sql, type Kysely } from 'kysely'

/**
 * Users who were made at a sign-on got the hash of a random password from earlier versions. It becomes one that no
 * password fits (`unknownPassword`) where no password was set since: setting one changes `updated_at`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update "user" set password_hash = substr(password_hash, 1, length(password_hash) - 44) || ${`${'A'.repeat(43)}=`}
    where created_at = updated_at and password_hash like '$argon2id$%'
      and id in (select user_id from user_identity where is_managed = 1)`.execute(db)
}
