import type { Db } from '../../db/connect.ts'
import { containsWords, listOrder, readPage, type ListQuery } from '../../db/listing.ts'
import type { NewRow, Row, RowChange } from '../../db/tables.ts'
import { updateIfUnchanged } from '../../db/update-if-unchanged.ts'

export type IssuerRow = Row<'token_issuer'>
type IssuerRole = Row<'token_issuer_role'> & { role: string }
export type IssuerWithRoles = IssuerRow & { roles: IssuerRole[] }

type KeysRead = Pick<IssuerRow, 'keys' | 'keys_read_at'> | object
type KeysTried = KeysRead & Pick<IssuerRow, 'keys_tried_at' | 'keys_due_at' | 'keys_problem'>

export function issuerStore(db: Db) {
  /** One statement, however many issuers. */
  const withRoles = async (rows: readonly IssuerRow[]): Promise<IssuerWithRoles[]> => {
    const ids = rows.map(({ id }) => id)
    const found = ids.length === 0 ? [] : await rolesOf(ids)
    const roles = Map.groupBy(found, ({ issuer_id }) => issuer_id)
    return rows.map((row) => ({ ...row, roles: roles.get(row.id) ?? [] }))
  }
  const rolesOf = (ids: readonly number[]) =>
    db
      .selectFrom('token_issuer_role')
      .innerJoin('role', 'role.id', 'token_issuer_role.role_id')
      .selectAll('token_issuer_role')
      .select('role.name as role')
      .where('issuer_id', 'in', ids)
      .orderBy('value')
      .orderBy('role_id')
      .execute()

  return {
    list: async (query: ListQuery) => {
      const { rows, ...page } = await readPage(
        db
          .selectFrom('token_issuer')
          .selectAll()
          .$if(query.search !== '', (found) =>
            found.where(containsWords(query.search, ['token_issuer.name', 'token_issuer.issuer'])),
          )
          .orderBy(listOrder(query.sort, 'token_issuer.id', ['name', 'updated_at'])),
        query,
      )
      return { ...page, rows: await withRoles(rows) }
    },
    /** Those that are switched on; where ids are given, of these. */
    listServed: async (ids?: readonly number[]) =>
      withRoles(
        await db
          .selectFrom('token_issuer')
          .selectAll()
          .where('is_active', '=', 1)
          .$if(ids !== undefined, (query) => query.where('id', 'in', [...ids!, 0]))
          .orderBy('id')
          .execute(),
      ),
    find: async (id: number) => {
      const row = await db
        .selectFrom('token_issuer')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst()
      return row && (await withRoles([row]))[0]
    },
    insert: (row: NewRow<'token_issuer'>) =>
      db.insertInto('token_issuer').values(row).returning('id').executeTakeFirstOrThrow(),
    update: (id: number, version: number, change: RowChange<'token_issuer'>) =>
      updateIfUnchanged(db, 'token_issuer', id, version, change),
    setRoles: async (issuer_id: number, roles: readonly { value: string; role_id: number }[]) => {
      await db.deleteFrom('token_issuer_role').where('issuer_id', '=', issuer_id).execute()
      if (roles.length === 0) return
      const rows = roles.map(({ value, role_id }) => ({ issuer_id, role_id, value }))
      await db.insertInto('token_issuer_role').values(rows).execute()
    },
    remove: (id: number) => db.deleteFrom('token_issuer').where('id', '=', id).execute(),
    /** Whose keys are to be fetched by now, those that waited longest first. */
    listDue: (now: string, limit: number) =>
      db
        .selectFrom('token_issuer')
        .select(['id', 'keys_due_at'])
        .where('keys_due_at', '<=', now)
        .orderBy('keys_due_at')
        .limit(limit)
        .execute(),
    /** False where another server has it: it is due later then. */
    claimDue: async (id: number, seen: string | null, next: string) => {
      const { numUpdatedRows } = await db
        .updateTable('token_issuer')
        .set({ keys_due_at: next })
        .where('id', '=', id)
        .where('keys_due_at', '=', seen)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    /** Has the keys fetched now, unless that was tried since. */
    hurryKeys: (id: number, now: string, triedBefore: string) =>
      db
        .updateTable('token_issuer')
        .set({ keys_due_at: now })
        .where('id', '=', id)
        .where('keys_due_at', '>', now)
        .where((where) =>
          where.or([where('keys_tried_at', 'is', null), where('keys_tried_at', '<', triedBefore)]),
        )
        .execute(),
    setKeys: (id: number, tried: KeysTried) =>
      db.updateTable('token_issuer').set(tried).where('id', '=', id).execute(),
  }
}
