import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Database, Row, RowChange } from '../../db/tables.ts'
import type { Lease, LeaseWish } from './lease-time.ts'

/** Tables whose rows, by their ids, one server holds at a time. */
type Leased = {
  [T in keyof Database]: 'id' | 'lease_owner' | 'lease_until' extends keyof Row<T> ? T : never
}[keyof Database]

/** A row that no server holds. */
export const noLease = { lease_owner: null, lease_until: null } as const

/** A row that this server holds. */
export const leaseColumns = ({ owner, until }: Lease) => ({
  lease_owner: owner,
  lease_until: until,
})

/** True for rows that no server holds; `table` is its name in the statement, where there are several. */
export function isUnheld({ endedBy, latest }: LeaseWish, table?: string) {
  const until = sql.ref(table === undefined ? 'lease_until' : `${table}.lease_until`)
  return sql<boolean>`(${until} is null or ${until} <= ${endedBy} or ${until} > ${latest})`
}

/** The same, and for rows that this server holds. */
export const isUnheldOrOwn = (wish: LeaseWish) =>
  sql<boolean>`(${isUnheld(wish)} or lease_owner = ${wish.owner})`

/**
 * The statements of work that one server holds at a time. Each is decided by the database: of two servers that
 * want the same row, one gets it. With a state, rows in other states are held by no server.
 */
export function leasedRows<T extends Leased>(
  db: Db,
  table: T,
  state?: Row<T> extends { state: infer S } ? S : never,
) {
  // One set of statements serves all these tables; to the compiler it is always the same one of them.
  const rows = () =>
    db
      .updateTable(table as 'delivery')
      .$if(state !== undefined, (query) => query.where('state', '=', state as 'waiting'))
  const own = (owner: string) => rows().where('lease_owner', '=', owner)
  return {
    /** Takes those of the rows that no server holds. */
    claim: (ids: readonly number[], wish: LeaseWish): Promise<Row<T>[]> =>
      rows()
        .set(leaseColumns(wish))
        .where('id', 'in', ids)
        .where(isUnheld(wish))
        .returningAll()
        .execute() as Promise<unknown> as Promise<Row<T>[]>,
    /** Renews the leases that the server still has. Those that are missing in the result it has lost. */
    renewLeases: async (lease: Lease, ids: readonly number[]): Promise<{ id: number }[]> =>
      ids.length === 0
        ? []
        : own(lease.owner)
            .set({ lease_until: lease.until })
            .where('id', 'in', ids)
            .returning('id')
            .execute(),
    /** Lets the row go, with what became of it. False where another server holds it by now, or it is gone. */
    finish: async (id: number, owner: string, change: RowChange<T>): Promise<boolean> => {
      const { numUpdatedRows } = await own(owner)
        .set({ ...(change as RowChange<'delivery'>), ...noLease })
        .where('id', '=', id)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    /** Lets everything go that a server held when it died. */
    releaseOwn: (owner: string) => own(owner).set(noLease).execute(),
  }
}
