import type { Db } from '../../db/connect.ts'

export type RequestNamesStore = ReturnType<typeof requestNamesStore>

/** What the things are called that lines of the access log name by their ids. */
export function requestNamesStore(db: Db) {
  return {
    endpoints: (ids: readonly number[]) =>
      db.selectFrom('endpoint').select(['id', 'summary as name']).where('id', 'in', ids).execute(),
    apis: (ids: readonly number[]) =>
      db.selectFrom('api').select(['id', 'name']).where('id', 'in', ids).execute(),
    users: (ids: readonly number[]) =>
      db.selectFrom('user').select(['id', 'name']).where('id', 'in', ids).execute(),
    tokens: (ids: readonly number[]) =>
      db
        .selectFrom('personal_token')
        .select(['id', 'name', 'user_id'])
        .where('id', 'in', ids)
        .execute(),
    issuers: (ids: readonly number[]) =>
      db.selectFrom('token_issuer').select(['id', 'name']).where('id', 'in', ids).execute(),
  }
}
