import type { Db } from '../../db/connect.ts'
import { heldUntilCommit } from '../../db/dialect.ts'
import type { NewRow } from '../../db/tables.ts'

export function sessionStore(db: Db) {
  return {
    findOpen: (tokenHash: string) =>
      db
        .selectFrom('session')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .where('ended_at', 'is', null)
        .executeTakeFirst(),
    findOpenById: (id: number) =>
      db
        .selectFrom('session')
        .selectAll()
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .executeTakeFirst(),
    /** Like `findOpenById`; inside a transaction the session stays open until its end. */
    holdOpen: (id: number) =>
      heldUntilCommit(
        db,
        db.selectFrom('session').selectAll().where('id', '=', id).where('ended_at', 'is', null),
      ).executeTakeFirst(),
    findOpenByDownload: (downloadHash: string) =>
      db
        .selectFrom('session')
        .selectAll()
        .where('download_hash', '=', downloadHash)
        .where('ended_at', 'is', null)
        .executeTakeFirst(),
    /** The sessions of a user, the last used first. */
    listOpen: (userId: number) =>
      db
        .selectFrom('session')
        .selectAll()
        .where('user_id', '=', userId)
        .where('ended_at', 'is', null)
        .orderBy('last_used_at', 'desc')
        .orderBy('id', 'desc')
        .execute(),
    insert: (session: NewRow<'session'>) => db.insertInto('session').values(session).execute(),
    touch: (id: number, at: string) =>
      db.updateTable('session').set({ last_used_at: at }).where('id', '=', id).execute(),
    end: (id: number, at: string) =>
      db
        .updateTable('session')
        .set({ ended_at: at })
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .execute(),
    /** Ends every session of a user, but for the one that may be kept. */
    endAllOf: (userId: number, at: string, keptId = 0) =>
      db
        .updateTable('session')
        .set({ ended_at: at })
        .where('user_id', '=', userId)
        .where('id', '!=', keptId)
        .where('ended_at', 'is', null)
        .execute(),
    removeOlderThan: (createdAt: string) =>
      db.deleteFrom('session').where('created_at', '<', createdAt).execute(),
    /** Has this user signed in from this address since then? Ended sessions count. */
    hasSignedInFrom: async (userId: number, address: string, since: string) =>
      (await db
        .selectFrom('session')
        .select('id')
        .where('user_id', '=', userId)
        .where('address', '=', address)
        .where('created_at', '>=', since)
        .limit(1)
        .executeTakeFirst()) !== undefined,
  }
}
