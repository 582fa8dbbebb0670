import type { Db } from '../../db/connect.ts'
import type { NewRow, Row, RowChange } from '../../db/tables.ts'
import { updateIfUnchanged } from '../../db/update-if-unchanged.ts'

export type ProviderRow = Row<'sign_on_provider'>
export type Provider = ProviderRow & { roles: { value: string; role_id: number; role: string }[] }

export function signOnStore(db: Db) {
  const roles = () =>
    db
      .selectFrom('sign_on_role')
      .innerJoin('role', 'role.id', 'sign_on_role.role_id')
      .select(['value', 'role_id', 'role.name as role'])
      .orderBy('value')
      .orderBy('role_id')
      .execute()

  return {
    /** There is one at most. */
    find: async (): Promise<Provider | undefined> => {
      const row = await db.selectFrom('sign_on_provider').selectAll().limit(1).executeTakeFirst()
      return row && { ...row, roles: await roles() }
    },
    insert: (row: NewRow<'sign_on_provider'>) =>
      db.insertInto('sign_on_provider').values(row).returning('id').executeTakeFirstOrThrow(),
    update: (id: number, version: number, change: RowChange<'sign_on_provider'>) =>
      updateIfUnchanged(db, 'sign_on_provider', id, version, change),
    setRoles: async (given: readonly { value: string; role_id: number }[]) => {
      await db.deleteFrom('sign_on_role').execute()
      const rows = given.map(({ value, role_id }) => ({ value, role_id }))
      if (rows.length > 0) await db.insertInto('sign_on_role').values(rows).execute()
    },
    findIdentity: (issuer: string, subject: string) =>
      db
        .selectFrom('user_identity')
        .selectAll()
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .executeTakeFirst(),
    identitiesOf: (userId: number) =>
      db.selectFrom('user_identity').selectAll().where('user_id', '=', userId).execute(),
    insertIdentity: (identity: NewRow<'user_identity'>) =>
      db.insertInto('user_identity').values(identity).execute(),
    /** Returns how many there were. A user who was made at a sign-on is not managed without theirs. */
    removeIdentitiesOf: async (userId: number, { keepsManaged }: { keepsManaged: boolean }) => {
      const all = db.deleteFrom('user_identity').where('user_id', '=', userId)
      const { numDeletedRows } = await (
        keepsManaged ? all.where('is_managed', '=', 0) : all
      ).executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
