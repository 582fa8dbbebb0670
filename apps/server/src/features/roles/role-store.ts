import { sql } from 'kysely'
import { allOf } from '../../db/all-of.ts'
import type { Db } from '../../db/connect.ts'
import { hurry, lockUntilCommit } from '../../db/dialect.ts'
import { containsWords, listOrder, readPage, type ListQuery } from '../../db/listing.ts'
import type { NewRow, Row, RowChange } from '../../db/tables.ts'
import { updateIfUnchanged } from '../../db/update-if-unchanged.ts'

type RoleRow = Row<'role'>
export type RoleWithPermissions = RoleRow & { permissions: string[] }

const membershipLock = 4_701

export function roleStore(db: Db) {
  const filtered = ({ search }: ListQuery) => {
    const query = db.selectFrom('role')
    return search ? query.where(containsWords(search, ['role.name'])) : query
  }

  /** One statement, however many roles. */
  const withPermissions = async (roles: readonly RoleRow[]): Promise<RoleWithPermissions[]> => {
    if (roles.length === 0) return []
    const rows = await db
      .selectFrom('role_permission')
      .innerJoin('permission', 'permission.id', 'role_permission.permission_id')
      .select(['role_permission.role_id', 'permission.name'])
      .where(
        'role_permission.role_id',
        'in',
        roles.map(({ id }) => id),
      )
      .orderBy('permission.id')
      .execute()
    const byRole = Map.groupBy(rows, ({ role_id }) => role_id)
    return roles.map((role) => ({
      ...role,
      permissions: (byRole.get(role.id) ?? []).map(({ name }) => name),
    }))
  }

  return {
    list: async (query: ListQuery) => {
      const roles = filtered(query)
        .selectAll('role')
        .select([
          sql<number>`(select count(*) from role_permission where role_permission.role_id = role.id)`.as(
            'permissions_count',
          ),
          sql<number>`(select count(*) from user_role where user_role.role_id = role.id)`.as(
            'users_count',
          ),
        ])
        .orderBy(listOrder(query.sort, 'role.id', ['name']))
      return readPage(roles, query)
    },
    listWithPermissions: async () =>
      withPermissions(await db.selectFrom('role').selectAll().orderBy('id').execute()),
    /** Those that exist, by id. */
    findAll: async (ids: readonly number[]) =>
      ids.length === 0
        ? []
        : withPermissions(
            await db.selectFrom('role').selectAll().where('id', 'in', ids).orderBy('id').execute(),
          ),
    listPermissions: () => db.selectFrom('permission').selectAll().orderBy('id').execute(),
    find: async (id: number) => {
      const role = await db.selectFrom('role').selectAll().where('id', '=', id).executeTakeFirst()
      return role && (await withPermissions([role]))[0]
    },
    /** Those that count from some addresses only: all of them, or of these. */
    listLimited: (ids?: readonly number[]) =>
      db
        .selectFrom('role')
        .select(['id', 'allowed_addresses'])
        .where('allowed_addresses', 'is not', null)
        .$if(ids !== undefined, (query) => query.where('id', 'in', [...ids!, 0]))
        .execute(),
    listNames: () => db.selectFrom('role').select(['id', 'name as text']).execute(),
    findByName: (name: string) =>
      db
        .selectFrom('role')
        .selectAll()
        .where('name_key', '=', name.toLowerCase())
        .executeTakeFirst(),
    /** Which user has which role. */
    /** Of all users, or of these. */
    listMemberships: (userIds?: readonly number[]) =>
      db
        .selectFrom('user_role')
        .selectAll()
        .$if(userIds !== undefined, (query) => query.where('user_id', 'in', [...userIds!, 0]))
        .orderBy('role_id')
        .execute(),
    countUsers: async (id: number) => {
      const { count } = await db
        .selectFrom('user_role')
        .select(sql<number>`count(*)`.as('count'))
        .where('role_id', '=', id)
        .executeTakeFirstOrThrow()
      return count
    },
    /** Changes of who has which role run one after the other, so that the last Super Admin is counted right. */
    lockMembership: () => allOf([hurry(db), lockUntilCommit(db, membershipLock)]),
    insert: (role: NewRow<'role'>) =>
      db.insertInto('role').values(role).returningAll().executeTakeFirstOrThrow(),
    update: (id: number, version: number, change: RowChange<'role'>) =>
      updateIfUnchanged(db, 'role', id, version, change),
    setPermissions: async (roleId: number, names: readonly string[]) => {
      await db.deleteFrom('role_permission').where('role_id', '=', roleId).execute()
      if (names.length === 0) return
      await db
        .insertInto('role_permission')
        .columns(['role_id', 'permission_id'])
        .expression((select) =>
          select
            .selectFrom('permission')
            .select((from) => [from.lit(roleId).as('role_id'), 'id as permission_id'])
            .where('name', 'in', names),
        )
        .execute()
    },
    remove: (id: number) => db.deleteFrom('role').where('id', '=', id).execute(),
  }
}
