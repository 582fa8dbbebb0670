import type { Db } from '../../db/connect.ts'
import { isUnheldOrOwn, leaseColumns } from '../../kernel/leases/leased-rows.ts'
import type { LeaseWish } from '../../kernel/leases/lease-time.ts'

/** Work that one server does at a time, by name. */
export function dutyStore(db: Db) {
  return {
    /**
     * Takes or renews the lease. Undefined where another server holds it; else when a round of the duty last
     * ended, on any server, or null.
     */
    take: async (name: string, wish: LeaseWish) => {
      const { owner, now } = wish
      await db
        .insertInto('duty')
        .values({ name, lease_owner: owner, lease_until: '', round_at: null, taken_at: now })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute()
      return db
        .updateTable('duty')
        .set((column) => ({
          ...leaseColumns(wish),
          taken_at: column
            .case()
            .when('lease_owner', '=', owner)
            .then(column.fn.coalesce('taken_at', column.val(now)))
            .else(now)
            .end(),
        }))
        .where('name', '=', name)
        .where(isUnheldOrOwn(wish))
        .returning('round_at')
        .executeTakeFirst()
    },
    /** Records that a round ended. False where another server has taken the duty over. */
    endRound: async (name: string, owner: string, at: string): Promise<boolean> => {
      const { numUpdatedRows } = await db
        .updateTable('duty')
        .set({ round_at: at })
        .where('name', '=', name)
        .where('lease_owner', '=', owner)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    /** Leases that last, in the order of their names. */
    listHeld: (now: string) =>
      db
        .selectFrom('duty')
        .select(['name', 'lease_owner', 'taken_at'])
        .where('lease_until', '>', now)
        .orderBy('name')
        .execute(),
    find: (name: string) =>
      db.selectFrom('duty').selectAll().where('name', '=', name).executeTakeFirst(),
  }
}
