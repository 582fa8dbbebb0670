import type { Permission } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { heldUntilCommit } from '../../db/dialect.ts'
import { statement } from '../../db/statement.ts'
import { containsWords, listOrder, readPage, type ListQuery } from '../../db/listing.ts'
import type { NewRow, Row, RowChange } from '../../db/tables.ts'
import { updateIfUnchanged } from '../../db/update-if-unchanged.ts'

type UserRow = Row<'user'>
export type UserWithRoles = UserRow & { roles: { id: number; name: string }[] }

const memberships = (db: Db) =>
  db
    .selectFrom('user_role')
    .innerJoin('role', 'role.id', 'user_role.role_id')
    .select(['role.id', 'role.name'])
    .orderBy('role.id')

const holdUser = statement((db, { id }: { id: number }) =>
  heldUntilCommit(db, db.selectFrom('user').selectAll().where('id', '=', id)),
)

const holdRoles = statement((db, { userId }: { userId: number }) =>
  heldUntilCommit(db, memberships(db).where('user_role.user_id', '=', userId)),
)

export function userStore(db: Db) {
  const filtered = ({ search }: ListQuery) => {
    const query = db.selectFrom('user')
    return search
      ? query.where(containsWords(search, ['user.name', 'user.email', 'user.username']))
      : query
  }

  /** One statement, however many users. */
  const withRoles = async (users: readonly UserRow[]): Promise<UserWithRoles[]> => {
    if (users.length === 0) return []
    const ids = users.map(({ id }) => id)
    const rows = await memberships(db)
      .select('user_role.user_id')
      .where('user_role.user_id', 'in', ids)
      .execute()
    const byUser = Map.groupBy(rows, ({ user_id }) => user_id)
    return users.map((user) => ({
      ...user,
      roles: (byUser.get(user.id) ?? []).map(({ id, name }) => ({ id, name })),
    }))
  }

  return {
    list: async (query: ListQuery) => {
      const order = listOrder(query.sort, 'user.id', ['name', 'email', 'username'])
      const { rows, total } = await readPage(
        filtered(query).selectAll('user').orderBy(order),
        query,
      )
      return { rows: await withRoles(rows), total }
    },
    /** For choice lists: all users by name, the first thousand. */
    listAll: () =>
      db
        .selectFrom('user')
        .select(['id', 'name'])
        .orderBy('name')
        .orderBy('id')
        .limit(1000)
        .execute(),
    find: (id: number) => db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst(),
    findWithRoles: async (id: number) => {
      const user = await db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()
      return user && (await withRoles([user]))[0]
    },
    findByEmail: (email: string) =>
      db
        .selectFrom('user')
        .selectAll()
        .where('email_key', '=', email.toLowerCase())
        .executeTakeFirst(),
    listUsernames: () => db.selectFrom('user').select(['id', 'username as text']).execute(),
    findByUsername: (username: string) =>
      db
        .selectFrom('user')
        .selectAll()
        .where('username_key', '=', username.toLowerCase())
        .executeTakeFirst(),
    rolesOf: (userId: number) => memberships(db).where('user_role.user_id', '=', userId).execute(),
    /** Like `find`; inside a transaction the row can't change until its end. */
    hold: async (id: number) => (await holdUser(db, { id })).rows[0],
    /** Like `rolesOf`; inside a transaction the user's roles can't change until its end. */
    holdRolesOf: async (userId: number) => (await holdRoles(db, { userId })).rows,
    permissionsOf: async (userId: number): Promise<Permission[]> => {
      const rows = await db
        .selectFrom('user_role')
        .innerJoin('role_permission', 'role_permission.role_id', 'user_role.role_id')
        .innerJoin('permission', 'permission.id', 'role_permission.permission_id')
        .select('permission.name')
        .distinct()
        .where('user_role.user_id', '=', userId)
        .orderBy('permission.name')
        .execute()
      return rows.map((row) => row.name as Permission)
    },
    /** People with this role who can sign in. */
    countMembers: async (roleName: string) => {
      const { count } = await db
        .selectFrom('user_role')
        .innerJoin('role', 'role.id', 'user_role.role_id')
        .innerJoin('user', 'user.id', 'user_role.user_id')
        .select(sql<number>`count(*)`.as('count'))
        .where('role.name', '=', roleName)
        .where('user.password_hash', 'is not', null)
        .executeTakeFirstOrThrow()
      return count
    },
    insert: (user: NewRow<'user'>) =>
      db.insertInto('user').values(user).returningAll().executeTakeFirstOrThrow(),
    update: (id: number, version: number, change: RowChange<'user'>) =>
      updateIfUnchanged(db, 'user', id, version, change),
    remove: (id: number) => db.deleteFrom('user').where('id', '=', id).execute(),
    addRole: (userId: number, roleName: string) =>
      db
        .insertInto('user_role')
        .columns(['user_id', 'role_id'])
        .expression((select) =>
          select
            .selectFrom('role')
            .select((from) => [from.lit(userId).as('user_id'), 'id as role_id'])
            .where('name', '=', roleName),
        )
        .execute(),
    setRoles: async (userId: number, roleIds: readonly number[]) => {
      await db.deleteFrom('user_role').where('user_id', '=', userId).execute()
      const rows = roleIds.map((role_id) => ({ user_id: userId, role_id }))
      if (rows.length > 0) await db.insertInto('user_role').values(rows).execute()
    },
    removeRole: async (userId: number, roleId: number) => {
      const { numDeletedRows } = await db
        .deleteFrom('user_role')
        .where('user_id', '=', userId)
        .where('role_id', '=', roleId)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}
