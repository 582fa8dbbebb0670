import { randomBytes } from 'node:crypto'
import type { RevisionId } from '@gatehouse/contract'
import { sql } from 'kysely'
import { allOf } from '../db/all-of.ts'
import type { Db } from '../db/connect.ts'
import { hurry, notifyAtCommit } from '../db/dialect.ts'
import type { Row } from '../db/tables.ts'

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
      await allOf([
        hurry(db),
        rise.execute(),
        ...giveRevision(db),
        notifyAtCommit(db, revisionChannel),
      ])
      onBump()
    },
    /**
     * What changed since a revision; undefined where that is not known, or is more than `limit` parts: it was
     * before the last thousand, or a failover has lost it.
     */
    listSince: async (
      { revision, mark }: RevisionId,
      limit: number,
    ): Promise<ConfigPart[] | undefined> => {
      const base = db
        .selectFrom('config_change')
        .select('id')
        .where('revision', '=', revision)
        .where('kind', '=', 'revision')
        .where('mark', '=', mark)
      if ((await base.executeTakeFirst()) === undefined) return undefined
      const parts = await db
        .selectFrom('config_change')
        .select(['kind', 'thing_id'])
        .distinct()
        .where((where) =>
          where.or([where('revision', '>', revision), where('revision', 'is', null)]),
        )
        .where('kind', '<>', 'revision')
        .limit(limit + 1)
        .execute()
      return parts.length > limit ? undefined : parts
    },
    /**
     * For a change that was made before: a caller that repeats it is answered like the first time, when it
     * is in force.
     */
    confirm: () => onBump(),
  }
}

export type ConfigPart = Pick<Row<'config_change'>, 'kind' | 'thing_id'>

const revisionsKept = 1_000

/** Runs with the lock of the revision: what is noted without one is this transaction's, or was committed before. */
function giveRevision(db: Db): Promise<unknown>[] {
  return [
    sql`insert into config_change (revision, kind, thing_id, mark)
      select revision, 'revision', 0, mark from config_revision`.execute(db),
    sql`update config_change set revision = (select revision from config_revision)
      where revision is null`.execute(db),
    sql`delete from config_change
      where revision < (select revision from config_revision) - ${revisionsKept}`.execute(db),
  ]
}

const newMark = () => randomBytes(9).toString('base64url')
