import type { Db } from '../../db/connect.ts'

interface Lease {
  owner: string
  /** A lease that ended by then may be taken. */
  endedBy: string
  /** A lease that ends later may be taken: it is from before the time was set back. */
  latest: string
  until: string
}

/** Work that one server does at a time, by name. */
export function dutyStore(db: Db) {
  return {
    /**
     * Takes or renews the lease. Undefined where another server holds it; else when a round of the duty last
     * ended, on any server, or null.
     */
    take: async (name: string, { owner, endedBy, latest, until }: Lease) => {
      await db
        .insertInto('duty')
        .values({ name, lease_owner: owner, lease_until: '', round_at: null })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute()
      return db
        .updateTable('duty')
        .set({ lease_owner: owner, lease_until: until })
        .where('name', '=', name)
        .where((where) =>
          where.or([
            where('lease_owner', '=', owner),
            where('lease_until', '<=', endedBy),
            where('lease_until', '>', latest),
          ]),
        )
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
    find: (name: string) =>
      db.selectFrom('duty').selectAll().where('name', '=', name).executeTakeFirst(),
  }
}
