import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { NewRow, Row, RowChange } from '../../db/tables.ts'

/** For how long a challenge is kept after its end: what was sent before is checked and stored after it. */
const keptMs = 60 * 60_000

type Passkey = Row<'passkey'>

export function passkeyStore(db: Db) {
  const ownOf = (userId: number) =>
    db.selectFrom('passkey').selectAll().where('user_id', '=', userId)

  return {
    /** The newest first. */
    listOf: (userId: number) => ownOf(userId).orderBy('id', 'desc').execute(),
    countOf: async (userId: number) => {
      const { count } = await db
        .selectFrom('passkey')
        .select(sql<number>`count(*)`.as('count'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      return count
    },
    /** Whether any user has one. */
    exist: async () =>
      (await db.selectFrom('passkey').select('id').limit(1).executeTakeFirst()) !== undefined,
    findByCredential: (credentialId: string) =>
      db
        .selectFrom('passkey')
        .selectAll()
        .where('credential_id', '=', credentialId)
        .executeTakeFirst(),
    findOwn: (id: number, userId: number) => ownOf(userId).where('id', '=', id).executeTakeFirst(),
    /** Undefined where this credential is known already. */
    insert: (passkey: NewRow<'passkey'>) =>
      db
        .insertInto('passkey')
        .values(passkey)
        .onConflict((conflict) => conflict.column('credential_id').doNothing())
        .returningAll()
        .executeTakeFirst(),
    rename: (id: number, name: string) =>
      db.updateTable('passkey').set({ name }).where('id', '=', id).execute(),
    /** Notes a use. False where it was removed, or used elsewhere since it was read. */
    use: async ({ id, counter }: Passkey, change: RowChange<'passkey'>) => {
      const { numUpdatedRows } = await db
        .updateTable('passkey')
        .set(change)
        .where('id', '=', id)
        .where('counter', '=', counter)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    remove: (id: number) => db.deleteFrom('passkey').where('id', '=', id).execute(),
    /** Returns how many there were. */
    removeAllOf: async (userId: number) => {
      const { numDeletedRows } = await db
        .deleteFrom('passkey')
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
    /** False where the challenge was taken before. Forgets those that ended long ago. */
    takeChallenge: async (challenge: Row<'passkey_challenge'>, now: string) => {
      const forgotten = new Date(Date.parse(now) - keptMs).toISOString()
      await db.deleteFrom('passkey_challenge').where('expires_at', '<', forgotten).execute()
      const inserted = await db
        .insertInto('passkey_challenge')
        .values(challenge)
        .onConflict((conflict) => conflict.column('challenge_hash').doNothing())
        .returning('challenge_hash')
        .executeTakeFirst()
      return inserted !== undefined
    },
  }
}
