import type { Db } from '../db/connect.ts'
import { notifyAtCommit } from '../db/dialect.ts'

export type RevisionStore = ReturnType<typeof revisionStore>

/** Where servers on one PostgreSQL tell each other of a new revision. */
export const revisionChannel = 'gatehouse_revision'

/** The number of the configuration that the gateway runs on. `onBump` is called with every bump. */
export function revisionStore(db: Db, onBump: () => void) {
  return {
    get: async () =>
      (await db.selectFrom('config_revision').select('revision').executeTakeFirstOrThrow())
        .revision,
    /**
     * Belongs last into the transaction of every change that the gateway has to know of: on PostgreSQL
     * changes queue for this row until commit, so that whoever holds it must wait for nothing else.
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
     * For a change that was made before: whoever asks for it again is answered like the first time, when it is
     * in force.
     */
    confirm: () => onBump(),
  }
}
