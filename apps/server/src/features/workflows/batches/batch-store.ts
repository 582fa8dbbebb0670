import type { RunState } from '@gatehouse/contract'
import type { Db } from '../../../db/connect.ts'
import { inParts } from '../../../kernel/in-parts.ts'
import { reserveIds } from '../../../db/dialect.ts'
import { containsWords, readPage, type ListQuery } from '../../../db/listing.ts'
import type { NewRow, Row, RowChange } from '../../../db/tables.ts'
import { batchResultStore } from './batch-result-store.ts'

/** Parameters of a statement are limited. */
const rowsAtOnce = 500

export type BatchStore = ReturnType<typeof batchStore>
export type BatchRow = NonNullable<Awaited<ReturnType<BatchStore['find']>>>

/** The batches of workflows, and the runs that were made for their inputs. */
export function batchStore(db: Db) {
  const shown = () =>
    db
      .selectFrom('batch')
      .innerJoin('workflow', 'workflow.id', 'batch.workflow_id')
      .selectAll('batch')
      .select(['workflow.slug', 'workflow.lane_id'])
  /** Entries of a batch's runs that have not ended; at most so many. */
  const entriesOf = (batchId: number, states: readonly Row<'lane_entry'>['state'][]) =>
    db
      .selectFrom('lane_entry')
      .innerJoin('run', 'run.id', 'lane_entry.run_id')
      .where('run.batch_id', '=', batchId)
      .where('lane_entry.state', 'in', states)

  return {
    ...batchResultStore(db),
    insert: (batch: NewRow<'batch'>) =>
      db.insertInto('batch').values(batch).returning('id').executeTakeFirstOrThrow(),
    update: (id: number, change: RowChange<'batch'>) =>
      db.updateTable('batch').set(change).where('id', '=', id).execute(),
    find: (id: number) => shown().where('batch.id', '=', id).executeTakeFirst(),
    findByKey: (key: string) => shown().where('idempotency_key', '=', key).executeTakeFirst(),
    /** Those that are stored whole, newest first unless another order is asked for. */
    list: async (slug: string, { page, limit, search, sort }: ListQuery) => {
      const ofWorkflow = shown()
        .where('workflow.slug', '=', slug)
        .where('batch.stored_by', 'is', null)
        .$if(search !== '', (query) =>
          query.where(containsWords(search, ['batch.file_name', 'batch.user_name'])),
        )
        .orderBy('batch.id', sort === 'id' ? 'asc' : 'desc')
      return readPage(ofWorkflow, { page, limit })
    },
    /** Batches whose entries in the lane do not yet follow what was asked. */
    listUnsettled: () =>
      shown().where('is_settled', '=', 0).where('stored_by', 'is', null).execute(),
    /** Batches that were never stored whole: of this server, or so old that theirs is gone. */
    listAbandoned: (owner: string, before: string) =>
      db
        .selectFrom('batch')
        .select('id')
        .where('stored_by', 'is not', null)
        .where((each) => each.or([each('stored_by', '=', owner), each('created_at', '<', before)]))
        .execute(),
    reserveRunIds: async (count: number) => (await reserveIds(db, { run: count })).run,
    insertRuns: async (
      runs: NewRow<'run'>[],
      inputs: NewRow<'run_input'>[],
      entries: NewRow<'lane_entry'>[],
    ) => {
      await db.insertInto('run').values(runs).execute()
      await db.insertInto('run_input').values(inputs).execute()
      await db.insertInto('lane_entry').values(entries).execute()
    },
    /** Says which run takes each of these inputs now. */
    placeInputs: async (inputs: readonly NewRow<'batch_input'>[]) => {
      for (const some of inParts(inputs, rowsAtOnce))
        await db
          .insertInto('batch_input')
          .values(some)
          .onConflict((conflict) =>
            conflict.columns(['batch_id', 'line']).doUpdateSet((each) => ({
              run_id: each.ref('excluded.run_id'),
              position: each.ref('excluded.position'),
            })),
          )
          .execute()
    },
    /** Which of these order keys are in the lane. */
    listOrderKeys: async (laneId: number, keys: readonly string[]) => {
      const rows = await db
        .selectFrom('lane_entry')
        .select('order_key')
        .distinct()
        .where('lane_id', '=', laneId)
        .where('order_key', 'in', keys)
        .execute()
      return new Set(rows.map(({ order_key }) => order_key))
    },
    /** Moves at most so many entries from one state to another; returns how many. */
    moveEntries: async (
      batchId: number,
      from: 'queued' | 'waiting',
      to: 'queued' | 'waiting',
      limit: number,
    ) => {
      const { numUpdatedRows } = await db
        .updateTable('lane_entry')
        .set({ state: to })
        .where('run_id', 'in', entriesOf(batchId, [from]).select('lane_entry.run_id').limit(limit))
        .where('state', '=', from)
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows)
    },
    /** Entries whose runs were never begun. */
    listNeverBegun: (batchId: number, limit: number) =>
      entriesOf(batchId, ['queued', 'waiting'])
        .where('run.state', '=', 'queued')
        .where((each) =>
          each.not(
            each.exists(
              each.selectFrom('run_step').select('id').whereRef('run_step.run_id', '=', 'run.id'),
            ),
          ),
        )
        .selectAll('lane_entry')
        .select('run.epoch')
        .limit(limit)
        .execute(),
    /** Removes the runs of a batch that was not stored whole. Returns how many are gone. */
    discardRuns: async (batchId: number, limit: number) => {
      const rows = await db
        .selectFrom('run')
        .select('id')
        .where('batch_id', '=', batchId)
        .limit(limit)
        .execute()
      const ids = rows.map(({ id }) => id)
      if (ids.length === 0) return 0
      await db.deleteFrom('batch_input').where('run_id', 'in', ids).execute()
      await db.deleteFrom('lane_entry').where('run_id', 'in', ids).execute()
      await db.deleteFrom('run_input').where('run_id', 'in', ids).execute()
      await db.deleteFrom('run').where('id', 'in', ids).execute()
      return ids.length
    },
    discard: (id: number) =>
      db.deleteFrom('batch').where('id', '=', id).where('stored_by', 'is not', null).execute(),
    /** Runs of a batch in a state that no other run took the place of, with their inputs. */
    listToRetry: (batchId: number, state: RunState, limit: number) =>
      db
        .selectFrom('run')
        .innerJoin('run_input', 'run_input.run_id', 'run.id')
        .selectAll('run')
        .select('run_input.body as input')
        .where('batch_id', '=', batchId)
        .where('state', '=', state)
        .where('overtaken_by', 'is', null)
        .orderBy('batch_line')
        .limit(limit)
        .execute(),
    markRetried: async (ids: readonly { id: number; by: number }[]) => {
      for (const { id, by } of ids)
        await db.updateTable('run').set({ overtaken_by: by }).where('id', '=', id).execute()
    },
  }
}
