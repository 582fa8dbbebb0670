import type { Db } from '../../db/connect.ts'
import { heldUntilCommit } from '../../db/dialect.ts'
import type { NewRow } from '../../db/tables.ts'

export function adminTokenStore(db: Db) {
  const valid = (now: string) =>
    db
      .selectFrom('admin_token')
      .selectAll()
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)

  return {
    /** Those of a user that are not revoked, the newest first. */
    listOf: (userId: number) =>
      db
        .selectFrom('admin_token')
        .selectAll()
        .where('user_id', '=', userId)
        .where('revoked_at', 'is', null)
        .orderBy('id', 'desc')
        .execute(),
    /** A token that is neither revoked nor expired at that time, by what is stored of it. */
    findValid: (tokenHash: string, now: string) =>
      valid(now).where('token_hash', '=', tokenHash).executeTakeFirst(),
    /** By its id; inside a transaction it stays valid until its end. */
    holdValid: (id: number, now: string) =>
      heldUntilCommit(db, valid(now).where('id', '=', id)).executeTakeFirst(),
    insert: (token: NewRow<'admin_token'>) =>
      db.insertInto('admin_token').values(token).returningAll().executeTakeFirstOrThrow(),
    touch: (id: number, at: string) =>
      db.updateTable('admin_token').set({ last_used_at: at }).where('id', '=', id).execute(),
    /** Returns how many there were. */
    revokeAllOf: async (userId: number, at: string) => {
      const { numUpdatedRows } = await db
        .updateTable('admin_token')
        .set({ revoked_at: at })
        .where('user_id', '=', userId)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },
    /** The token, where it is the user's and was not revoked before. */
    revoke: (id: number, userId: number, at: string) =>
      db
        .updateTable('admin_token')
        .set({ revoked_at: at })
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .where('revoked_at', 'is', null)
        .returningAll()
        .executeTakeFirst(),
  }
}
