import type { Db } from '../db/connect.ts'
import { notifyAtCommit } from '../db/dialect.ts'

export type RevisionStore = ReturnType<typeof revisionStore>

/** The channel by which servers on one PostgreSQL notify each other of a new revision. */
export const revisionChannel = 'gatehouse_revision'

/** The number of the configuration that the gateway runs on. `onBump` is called with every bump. */
export function revisionStore(db: Db, onBump: () => void) {
  return {
    get: async () =>
      (await db.selectFrom('config_revision').select('revision').executeTakeFirstOrThrow())
        .revision,
    /**
     * Call it last in the transaction of every change that the gateway needs: on PostgreSQL
     * changes queue for this row until commit, so its holder must wait for nothing else.
     */
    bump: async () => {
      await db
        .updateTable('config_revision')
        .set((column) => ({ revision: column('revision', '+', 1) }))
        .execute()
      await notifyAtCommit(db, revisionChannel)
      onBump()
    },
    /**
     * For a change that was made before: a caller that repeats it is answered like the first time, when it
     * is in force.
     */
    confirm: () => onBump(),
  }
}
