import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import type { NewRow, Row } from '../../db/tables.ts'

export type HoldRow = Row<'installation_hold'>

/** Lanes and schedules that send again although the rest is held. */
export interface ReleasedParts {
  lanes: number[]
  schedules: number[]
}
interface HeldPart {
  lane?: number
}

export const releasedPartsOf = ({ released_parts }: HoldRow): ReleasedParts =>
  released_parts === null
    ? { lanes: [], schedules: [] }
    : (JSON.parse(released_parts) as ReleasedParts)

const isReleased = (hold: HoldRow, { lane }: HeldPart) =>
  lane !== undefined && releasedPartsOf(hold).lanes.includes(lane)

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
    isHeld: async (part: HeldPart = {}) => {
      const hold = await find()
      return hold !== undefined && !isReleased(hold, part)
    },
    /** Whether runs of the workflow are held; null: runs of none. */
    isHeldFor: async (workflowId: number | null) => {
      const hold = await find()
      if (!hold) return false
      const lane =
        workflowId === null
          ? undefined
          : await db
              .selectFrom('workflow')
              .select('lane_id')
              .where('id', '=', workflowId)
              .executeTakeFirst()
      return !lane || !isReleased(hold, { lane: lane.lane_id })
    },
    /** The schedules that may fire; undefined: all. */
    firing: async (): Promise<readonly number[] | undefined> => {
      const hold = await find()
      return hold && releasedPartsOf(hold).schedules
    },
    setReleased: (parts: ReleasedParts) =>
      db
        .updateTable('installation_hold')
        .set({ released_parts: JSON.stringify(parts) })
        .where('released_at', 'is', null)
        .execute(),
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
