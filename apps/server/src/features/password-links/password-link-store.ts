import type { Db } from '../../db/connect.ts'
import type { Row } from '../../db/tables.ts'

export function passwordLinkStore(db: Db) {
  return {
    find: (tokenHash: string) =>
      db
        .selectFrom('password_link')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst(),
    /** In place of the one that the user may have. */
    put: async (link: Row<'password_link'>) => {
      await db
        .insertInto('password_link')
        .values(link)
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(link))
        .execute()
    },
    /** Undefined where another call has taken it before, or there is none. */
    take: (tokenHash: string) =>
      db
        .deleteFrom('password_link')
        .where('token_hash', '=', tokenHash)
        .returningAll()
        .executeTakeFirst(),
  }
}
