import { randomBytes } from 'node:crypto'
import type { RevisionId } from '@gatehouse/contract'
import { allOf } from '../db/all-of.ts'
import type { Db } from '../db/connect.ts'
import { hurry, notifyAtCommit } from '../db/dialect.ts'

export type RevisionStore = ReturnType<typeof revisionStore>

/** The channel by which servers on one PostgreSQL notify each other of a new revision. */
export const revisionChannel = 'gatehouse_revision'

/**
 * Names the configuration that the gateway runs on: a number that rises, and a random mark that is another
 * one with every bump. A failover can lose the last changes, and later changes then get their numbers
 * again, but never their marks. `onBump` is called with every bump.
 */
export function revisionStore(db: Db, onBump: () => void) {
  return {
    get: (): Promise<RevisionId> =>
      db.selectFrom('config_revision').select(['revision', 'mark']).executeTakeFirstOrThrow(),
    /**
     * Call it last in the transaction of every change that the gateway needs: on PostgreSQL
     * changes queue for this row until commit, so its holder must wait for nothing else.
     */
    bump: async () => {
      const rise = db
        .updateTable('config_revision')
        .set((column) => ({ revision: column('revision', '+', 1), mark: newMark() }))
      await allOf([hurry(db), rise.execute(), notifyAtCommit(db, revisionChannel)])
      onBump()
    },
    /**
     * For a change that was made before: a caller that repeats it is answered like the first time, when it
     * is in force.
     */
    confirm: () => onBump(),
  }
}

const newMark = () => randomBytes(9).toString('base64url')
