import type { Permission } from '@gatehouse/contract'
import type { Db } from '../../db/connect.ts'
import type { NewRow } from '../../db/tables.ts'

export type UserStore = ReturnType<typeof userStore>

export function userStore(db: Db) {
  return {
    find: (id: number) => db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst(),
    findByEmail: (email: string) =>
      db
        .selectFrom('user')
        .selectAll()
        .where('email_key', '=', email.toLowerCase())
        .executeTakeFirst(),
    rolesOf: (userId: number) =>
      db
        .selectFrom('user_role')
        .innerJoin('role', 'role.id', 'user_role.role_id')
        .select(['role.id', 'role.name'])
        .where('user_role.user_id', '=', userId)
        .orderBy('role.id')
        .execute(),
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
    hasMember: async (roleName: string) =>
      (await db
        .selectFrom('user_role')
        .innerJoin('role', 'role.id', 'user_role.role_id')
        .select('user_role.user_id')
        .where('role.name', '=', roleName)
        .limit(1)
        .executeTakeFirst()) !== undefined,
    insert: (user: NewRow<'user'>) =>
      db.insertInto('user').values(user).returningAll().executeTakeFirstOrThrow(),
    addRole: (userId: number, roleName: string) =>
      db
        .insertInto('user_role')
        .columns(['user_id', 'role_id'])
        .expression((select) =>
          select
            .selectFrom('role')
            .select(({ val }) => [val(userId).as('user_id'), 'id as role_id'])
            .where('name', '=', roleName),
        )
        .execute(),
  }
}
