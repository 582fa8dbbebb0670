import type { Db } from '../../db/connect.ts'
import type { NewRow, Row, RowChange } from '../../db/tables.ts'

/** More servers than this are not shown. */
const shownMax = 500

/** The servers that use this database. */
export function nodeStore(db: Db) {
  return {
    find: (instanceId: string) =>
      db.selectFrom('node').selectAll().where('instance_id', '=', instanceId).executeTakeFirst(),
    /** False where another start was faster. */
    insert: async (node: NewRow<'node'>): Promise<boolean> => {
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('node')
        .values(node)
        .onConflict((conflict) => conflict.column('instance_id').doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows > 0n
    },
    /** False where the row has changed since it was read. */
    change: async (
      { instance_id, start_id, beat }: Pick<Row<'node'>, 'instance_id' | 'start_id' | 'beat'>,
      change: RowChange<'node'>,
    ): Promise<boolean> => {
      const { numUpdatedRows } = await db
        .updateTable('node')
        .set(change)
        .where('instance_id', '=', instance_id)
        .where('start_id', '=', start_id)
        .where('beat', '=', beat)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    /**
     * A sign of life of a gateway that runs alone. False where it was taken before, or where another server has this
     * identity: one that was seen after `goneBefore`, and whose end is not certain (see `DataDir.place`).
     */
    putGateway: async (node: NewRow<'node'>, goneBefore: string): Promise<boolean> => {
      const { instance_id: _, ...change } = node
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('node')
        .values(node)
        .onConflict((conflict) =>
          conflict
            .column('instance_id')
            .doUpdateSet(change)
            .where('node.role', '=', 'gateway')
            .where((where) =>
              where.or([
                where.and([
                  where('node.start_id', '=', node.start_id),
                  where('node.beat', '<', node.beat),
                ]),
                where.and([
                  where('node.start_id', '!=', node.start_id),
                  where.or([
                    where('node.stopped_at', 'is not', null),
                    where('node.seen_at', '<=', goneBefore),
                    ...(node.place === '' ? [] : [where('node.place', '=', node.place)]),
                  ]),
                ]),
              ]),
            ),
        )
        .executeTakeFirst()
      return numInsertedOrUpdatedRows > 0n
    },
    /** Those that were seen last come first. */
    list: () =>
      db
        .selectFrom('node')
        .selectAll()
        .orderBy('seen_at', 'desc')
        .orderBy('instance_id')
        .limit(shownMax)
        .execute(),
    removeUnseenSince: async (moment: string) => {
      await db.deleteFrom('node').where('seen_at', '<', moment).execute()
    },
  }
}
