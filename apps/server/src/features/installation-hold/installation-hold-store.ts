import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import type { NewRow, Row } from '../../db/tables.ts'

export type HoldRow = Row<'installation_hold'>

const onlyId = 1

const findHold = statement((db) =>
  db.selectFrom('installation_hold').selectAll().where('released_at', 'is', null),
)

/** Whether what would be sent without a person waits: one row, the same for all servers. */
export function installationHoldStore(db: Db) {
  const find = async (): Promise<HoldRow | undefined> => (await findHold(db, {})).rows[0]
  return {
    /** Undefined where nothing is held. */
    find,
    /** The last one, also where it was released. */
    findLast: (): Promise<HoldRow | undefined> =>
      db.selectFrom('installation_hold').selectAll().executeTakeFirst(),
    isHeld: async () => (await find()) !== undefined,
    begin: async (
      hold: Omit<NewRow<'installation_hold'>, 'id' | 'released_at' | 'released_parts'>,
    ) => {
      await db.deleteFrom('installation_hold').execute()
      const row = { ...hold, id: onlyId, released_at: null, released_parts: null }
      await db.insertInto('installation_hold').values(row).execute()
    },
    /** Undefined where nothing is held. */
    release: (now: string): Promise<HoldRow | undefined> =>
      db
        .updateTable('installation_hold')
        .set({ released_at: now })
        .where('released_at', 'is', null)
        .returningAll()
        .executeTakeFirst(),
  }
}
