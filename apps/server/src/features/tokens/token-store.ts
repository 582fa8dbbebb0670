import type { Db } from '../../db/connect.ts'
import { heldUntilCommit } from '../../db/dialect.ts'
import { containsWords, readPage, type ListQuery } from '../../db/listing.ts'
import type { NewRow, Row, RowChange } from '../../db/tables.ts'
import { updateIfUnchanged } from '../../db/update-if-unchanged.ts'

type TokenStore = ReturnType<typeof tokenStore>
export type TokenWithUser = Awaited<ReturnType<TokenStore['list']>>['rows'][number]

type SortColumn = 'id' | 'name' | 'created_at' | 'expires_at' | 'last_used_at'

export function tokenStore(db: Db) {
  const joined = () =>
    db.selectFrom('personal_token').innerJoin('user', 'user.id', 'personal_token.user_id')

  /** `owners` undefined: all tokens; else those for these users, and those that they made. */
  const filtered = ({ search }: ListQuery, owners: readonly number[] | undefined) => {
    let query = joined()
    if (search)
      query = query.where(
        containsWords(search, [
          'personal_token.name',
          'user.name',
          'personal_token.created_by_name',
        ]),
      )
    if (owners) {
      query = query.where((where) =>
        where.or([
          where('personal_token.user_id', 'in', owners),
          where('personal_token.created_by_id', 'in', owners),
        ]),
      )
    }
    return query
  }

  return {
    list: async (query: ListQuery, owners: readonly number[] | undefined) => {
      const sort = query.sort ?? '-id'
      const tokens = filtered(query, owners)
        .selectAll('personal_token')
        .select('user.name as user_name')
        .orderBy(
          `personal_token.${sort.replace(/^-/, '') as SortColumn}`,
          sort.startsWith('-') ? 'desc' : 'asc',
        )
        .orderBy('personal_token.id', 'desc')
      return readPage(tokens, query)
    },
    /** Those that are neither revoked nor expired at that time; where `of` is given, with these ids or of these users. */
    listValid: (now: string, of?: { ids: readonly number[]; userIds: readonly number[] }) =>
      db
        .selectFrom('personal_token')
        .select(['id', 'token_hash', 'user_id', 'expires_at', 'limits', 'signing_secret'])
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now)
        .$if(of !== undefined, (query) =>
          query.where((where) =>
            where.or([
              where('id', 'in', [...(of?.ids ?? []), 0]),
              where('user_id', 'in', [...(of?.userIds ?? []), 0]),
            ]),
          ),
        )
        .orderBy('id')
        .execute(),
    /** Those that are valid at that time and open less than the roles of their users. */
    listLimited: (now: string) =>
      db
        .selectFrom('personal_token')
        .select(['name', 'user_id', 'limits'])
        .where('limits', 'is not', null)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now)
        .orderBy('name')
        .execute(),
    find: (id: number) =>
      joined()
        .selectAll('personal_token')
        .select('user.name as user_name')
        .where('personal_token.id', '=', id)
        .executeTakeFirst(),
    /** A token that is neither revoked nor expired at that time, by what is stored of it. */
    findValid: (tokenHash: string, now: string) =>
      db
        .selectFrom('personal_token')
        .select(['id', 'user_id', 'last_used_at', 'limits'])
        .where('token_hash', '=', tokenHash)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now)
        .executeTakeFirst(),
    /** Whose token it is and what it is limited to, while it is valid; inside a transaction it stays valid until its end. */
    holdValid: (id: number, now: string) =>
      heldUntilCommit(
        db,
        db
          .selectFrom('personal_token')
          .select(['user_id', 'limits'])
          .where('id', '=', id)
          .where('revoked_at', 'is', null)
          .where('expires_at', '>', now),
      ).executeTakeFirst(),
    insert: (token: NewRow<'personal_token'>) =>
      db.insertInto('personal_token').values(token).returning('id').executeTakeFirstOrThrow(),
    /** Undefined where another user has changed it since this version. */
    update: (id: number, version: number, change: RowChange<'personal_token'>) =>
      updateIfUnchanged(db, 'personal_token', id, version, change),
    setSigningSecret: async (
      id: number,
      change: Pick<Row<'personal_token'>, 'signing_secret' | 'signing_since'>,
    ) => {
      await db.updateTable('personal_token').set(change).where('id', '=', id).execute()
    },
    /** When these were last used; a later time stays. */
    touch: async (ids: readonly number[], at: string) => {
      await db
        .updateTable('personal_token')
        .set({ last_used_at: at })
        .where('id', 'in', ids)
        .where((where) =>
          where.or([where('last_used_at', 'is', null), where('last_used_at', '<', at)]),
        )
        .execute()
    },
    /** False when it was revoked already. */
    revoke: async (id: number, at: string) => {
      const { numUpdatedRows } = await db
        .updateTable('personal_token')
        .set({ revoked_at: at })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}
