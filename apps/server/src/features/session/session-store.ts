import type { Permission } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { heldUntilCommit } from '../../db/dialect.ts'
import { statement } from '../../db/statement.ts'
import type { NewRow } from '../../db/tables.ts'

const signedInBy = (column: 'token_hash' | 'download_hash') =>
  statement((db, { hash }: { hash: string }) =>
    db
      .selectFrom('session')
      .innerJoin('user', 'user.id', 'session.user_id')
      .leftJoin('user_role', 'user_role.user_id', 'user.id')
      .leftJoin('role', 'role.id', 'user_role.role_id')
      .select([
        'session.id as session_id',
        'session.created_at',
        'session.last_used_at',
        'user.id',
        'user.name',
        'user.email',
        'user.username',
        'role.id as role_id',
        'role.name as role_name',
        sql<string | null>`(select string_agg(permission.name, ' ')
          from role_permission
          join permission on permission.id = role_permission.permission_id
          where role_permission.role_id = role.id)`.as('permissions'),
      ])
      .where(`session.${column}`, '=', hash)
      .where('session.ended_at', 'is', null)
      .orderBy('role.id'),
  )

const signedIn = {
  token_hash: signedInBy('token_hash'),
  download_hash: signedInBy('download_hash'),
}

const holdOpen = statement((db, { id }: { id: number }) =>
  heldUntilCommit(
    db,
    db.selectFrom('session').selectAll().where('id', '=', id).where('ended_at', 'is', null),
  ),
)

export function sessionStore(db: Db) {
  return {
    /**
     * The open session of a token or a download cookie, with its user, roles and permissions, in
     * one statement: every call begins with it.
     */
    findSignedIn: async (column: 'token_hash' | 'download_hash', hash: string) => {
      const { rows } = await signedIn[column](db, { hash })
      const [first] = rows
      if (!first) return undefined
      const { session_id, created_at, last_used_at, id, name, email, username } = first
      const names = rows.flatMap(({ permissions }) => permissions?.split(' ') ?? [])
      return {
        session: { id: session_id, created_at, last_used_at },
        user: { id, name, email, username },
        roles: rows.flatMap(({ role_id, role_name }) =>
          role_id === null ? [] : [{ id: role_id, name: role_name ?? '' }],
        ),
        permissions: [...new Set(names)].toSorted() as Permission[],
      }
    },
    findOpenById: (id: number) =>
      db
        .selectFrom('session')
        .selectAll()
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .executeTakeFirst(),
    /** Like `findOpenById`; inside a transaction the session stays open until its end. */
    holdOpen: async (id: number) => (await holdOpen(db, { id })).rows[0],
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
