import type { Db } from '../../../db/connect.ts'
import type { Row, RowChange } from '../../../db/tables.ts'
import { isUnheld, leaseColumns } from '../../../kernel/leases/leased-rows.ts'
import type { Lease, LeaseWish } from '../../../kernel/leases/lease-time.ts'

/** Which server carries a run out; a part of the run store. */
export function leaseStore(db: Db) {
  return {
    /**
     * Takes a running run from its server, unless the server has renewed the lease since the read.
     */
    takeFrom: async ({ id, epoch, lease_until }: Row<'run'>, change: RowChange<'run'>) => {
      const query = db
        .updateTable('run')
        .set(change)
        .where('id', '=', id)
        .where('epoch', '=', epoch)
        .where('state', '=', 'running')
      const { numUpdatedRows } = await (
        lease_until === null
          ? query.where('lease_until', 'is', null)
          : query.where('lease_until', '=', lease_until)
      ).executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },
    /** Takes queued runs out of their lane. A run that is queued no more is not among the result. */
    takeQueued: (lease: Lease, ids: readonly number[], now: string) =>
      db
        .updateTable('run')
        .set((each) => ({
          state: 'running',
          ...leaseColumns(lease),
          epoch: each('epoch', '+', 1),
          finished_at: null,
          taken_at: now,
        }))
        .where('id', 'in', ids)
        .where('state', '=', 'queued')
        .returningAll()
        .execute(),
    /** Renews the leases that the server still has. Those that are missing in the result it has lost. */
    renewLeases: (lease: Lease, ids: readonly number[]) =>
      db
        .updateTable('run')
        .set({ lease_until: lease.until })
        .where('id', 'in', ids)
        .where('lease_owner', '=', lease.owner)
        .where('state', '=', 'running')
        .returning(['id', 'epoch'])
        .execute(),
    /** Running runs whose lease has ended, or is longer than any server takes. */
    listAbandoned: (wish: LeaseWish) =>
      db
        .selectFrom('run')
        .selectAll()
        .where('state', '=', 'running')
        .where(isUnheld(wish))
        .execute(),
    listOwned: (owner: string) =>
      db
        .selectFrom('run')
        .selectAll()
        .where('state', '=', 'running')
        .where('lease_owner', '=', owner)
        .execute(),
  }
}
