import type { Db } from '../../db/connect.ts'
import type { Row } from '../../db/tables.ts'
import { signInHash } from './sign-in-hash.ts'

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
    /** Until when the invitations of these users count, of those who have one; it may be over. */
    invitedUntil: async (users: readonly Row<'user'>[]): Promise<Map<number, string>> => {
      const open = users.filter(({ password_hash }) => password_hash === null)
      if (open.length === 0) return new Map()
      const links = await db
        .selectFrom('password_link')
        .selectAll()
        .where('kind', '=', 'invitation')
        .where(
          'user_id',
          'in',
          open.map(({ id }) => id),
        )
        .execute()
      const hashes = new Map(open.map((user) => [user.id, signInHash(user)]))
      const counting = links.filter((link) => link.sign_in_hash === hashes.get(link.user_id))
      return new Map(counting.map((link) => [link.user_id, link.expires_at]))
    },
    /** False where there is none. */
    removeInvitation: async (userId: number) => {
      const { numDeletedRows } = await db
        .deleteFrom('password_link')
        .where('user_id', '=', userId)
        .where('kind', '=', 'invitation')
        .executeTakeFirst()
      return numDeletedRows > 0n
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
