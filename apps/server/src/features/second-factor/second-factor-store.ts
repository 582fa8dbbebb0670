import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { NewRow, Row } from '../../db/tables.ts'

type Factor = Pick<Row<'second_factor'>, 'user_id' | 'secret_encrypted'>

export function secondFactorStore(db: Db) {
  /** Changes what was read, and nothing where another set-up has replaced it since. */
  const change = ({ user_id, secret_encrypted }: Factor) =>
    db
      .updateTable('second_factor')
      .where('user_id', '=', user_id)
      .where('secret_encrypted', '=', secret_encrypted)

  return {
    /** Confirmed or not. */
    find: (userId: number) =>
      db.selectFrom('second_factor').selectAll().where('user_id', '=', userId).executeTakeFirst(),
    /** Replaces one that was not confirmed. */
    begin: (factor: Pick<NewRow<'second_factor'>, 'user_id' | 'secret_encrypted' | 'created_at'>) =>
      db
        .insertInto('second_factor')
        .values(factor)
        .onConflict((conflict) =>
          conflict
            .column('user_id')
            .doUpdateSet(factor)
            .where('second_factor.confirmed_at', 'is', null),
        )
        .execute(),
    confirm: (factor: Factor, at: string) => change(factor).set({ confirmed_at: at }).execute(),
    /**
     * Notes that a code of this secret and time step was taken. False where one of it or of a later step was
     * before, and where the user has another secret by now.
     */
    takeStep: async (factor: Factor, step: number) => {
      const { numUpdatedRows } = await change(factor)
        .set({ last_step: step })
        .where('last_step', '<', step)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    /** With the recovery codes. False where there was none. */
    remove: async (userId: number) => {
      await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
      const { numDeletedRows } = await db
        .deleteFrom('second_factor')
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
    putRecoveryCodes: async (userId: number, hashes: readonly string[]) => {
      await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
      const rows = hashes.map((code_hash) => ({ user_id: userId, code_hash }))
      await db.insertInto('recovery_code').values(rows).execute()
    },
    hasRecoveryCode: async (userId: number, hash: string) =>
      (await db
        .selectFrom('recovery_code')
        .select('user_id')
        .where('user_id', '=', userId)
        .where('code_hash', '=', hash)
        .executeTakeFirst()) !== undefined,
    /** False where there is no such code, or no longer. */
    takeRecoveryCode: async (userId: number, hash: string) => {
      const { numDeletedRows } = await db
        .deleteFrom('recovery_code')
        .where('user_id', '=', userId)
        .where('code_hash', '=', hash)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
    countRecoveryCodes: async (userId: number) => {
      const { count } = await db
        .selectFrom('recovery_code')
        .select(sql<number>`count(*)`.as('count'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      return count
    },
    /** Whether one of the user's roles asks for a second factor. */
    isRequired: async (userId: number) =>
      (await db
        .selectFrom('user_role')
        .innerJoin('role', 'role.id', 'user_role.role_id')
        .select('role.id')
        .where('user_role.user_id', '=', userId)
        .where('role.needs_second_factor', '=', 1)
        .limit(1)
        .executeTakeFirst()) !== undefined,
  }
}
