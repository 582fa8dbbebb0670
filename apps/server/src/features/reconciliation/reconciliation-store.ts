import { referenceKey } from '@gatehouse/contract/reference-key'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { inParts } from '../../kernel/in-parts.ts'
import { jsonText, withoutIndex } from '../../db/dialect.ts'
import { containsWords, listOrder, readPage, type ListQuery } from '../../db/listing.ts'
import type { NewRow, Row, RowChange } from '../../db/tables.ts'
import { updateIfUnchanged } from '../../db/update-if-unchanged.ts'

export type ReconciliationRow = Row<'reconciliation'>
export type ResultRow = Row<'reconciliation_result'>

export interface LineFilter extends ListQuery {
  kind?: Row<'reconciliation_line'>['kind'] | undefined
}

interface Documents {
  kind: '' | 'tax' | 'credit'
  workflowId: number | null
  /** Blank: of every one. */
  register: string
}

export interface ReconciliationFilter extends ListQuery {
  register?: string | undefined
}

/** Results of a comparison that are kept. */
const keptMax = 100
const insertedAtOnce = 500
/** More comparisons are not asked at once. */
const listedMax = 200

/** Comparisons, their results and what differs. */
export function reconciliationStore(db: Db) {
  const results = () => db.selectFrom('reconciliation_result').selectAll()
  const lines = () =>
    db
      .selectFrom('reconciliation_line')
      .leftJoin('document', 'document.id', 'reconciliation_line.document_id')
      .selectAll('reconciliation_line')
      .select('document.register')
  const documents = ({ kind, workflowId, register }: Documents) =>
    db
      .selectFrom('document')
      .leftJoin('run', 'run.id', 'document.run_id')
      .leftJoin('run_input', 'run_input.run_id', 'document.run_id')
      .select(['document.id', 'document.register', 'document.reference', 'document.state'])
      .select('document.run_id')
      .select('run_input.body')
      .where('document.is_test', '=', 0)
      .$if(kind !== '', (rows) => rows.where('document.kind', '=', kind || 'tax'))
      .$if(register !== '', (rows) =>
        rows.where(sql<boolean>`${withoutIndex(db, 'document.register')} = ${register}`),
      )
      .$if(workflowId !== null, (rows) => rows.where('run.workflow_id', '=', workflowId ?? 0))

  return {
    list: ({ register, ...query }: ReconciliationFilter) =>
      readPage(
        db
          .selectFrom('reconciliation')
          .selectAll()
          .$if(Boolean(register), (rows) =>
            rows.where(jsonText(db, 'reconciliation.definition', 'register'), '=', register ?? ''),
          )
          .$if(query.search !== '', (rows) =>
            rows.where(containsWords(query.search, ['reconciliation.name'])),
          )
          .orderBy(listOrder(query.sort, 'reconciliation.id', ['name'])),
        query,
      ),
    find: (id: number) =>
      db.selectFrom('reconciliation').selectAll().where('id', '=', id).executeTakeFirst(),
    listAll: () =>
      db.selectFrom('reconciliation').selectAll().orderBy('id').limit(listedMax).execute(),
    insert: (row: NewRow<'reconciliation'>) =>
      db.insertInto('reconciliation').values(row).returning('id').executeTakeFirstOrThrow(),
    update: (id: number, version: number, change: RowChange<'reconciliation'>) =>
      updateIfUnchanged(db, 'reconciliation', id, version, change),
    remove: (id: number) => db.deleteFrom('reconciliation').where('id', '=', id).execute(),
    listDue: (now: string) =>
      db
        .selectFrom('reconciliation')
        .selectAll()
        .where('next_run_at', '<=', now)
        .orderBy('next_run_at')
        .limit(20)
        .execute(),
    /** False where another server has moved it on, or a user has changed it. */
    moveOn: async ({ id, version, next_run_at }: ReconciliationRow, to: string | null) => {
      const { numUpdatedRows } = await db
        .updateTable('reconciliation')
        .set({ next_run_at: to })
        .where('id', '=', id)
        .where('version', '=', version)
        .where('next_run_at', '=', next_run_at)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    /** Undefined where this moment was compared before. */
    insertResult: (row: NewRow<'reconciliation_result'>) =>
      db
        .insertInto('reconciliation_result')
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(['reconciliation_id', 'planned_for']).doNothing(),
        )
        .returningAll()
        .executeTakeFirst(),
    updateResult: (id: number, change: RowChange<'reconciliation_result'>) =>
      db.updateTable('reconciliation_result').set(change).where('id', '=', id).execute(),
    /** What waits, and what another server has left. */
    listOpen: () =>
      results().where('state', 'in', ['queued', 'running']).orderBy('id').limit(20).execute(),
    listResults: (id: number, query: ListQuery) =>
      readPage(
        results()
          .where('reconciliation_id', '=', id)
          .$if(query.search !== '', (rows) =>
            rows.where(containsWords(query.search, ['from_day', 'to_day', 'message'])),
          )
          .orderBy('id', query.sort === 'id' ? 'asc' : 'desc'),
        query,
      ),
    findResult: (id: number, result: number) =>
      results().where('reconciliation_id', '=', id).where('id', '=', result).executeTakeFirst(),
    listLast: (ids: readonly number[]) =>
      results()
        .where('id', 'in', (where) =>
          where
            .selectFrom('reconciliation_result as each')
            .select(({ fn }) => fn.max('each.id').as('id'))
            .where('each.reconciliation_id', 'in', [...ids, 0])
            .groupBy('each.reconciliation_id'),
        )
        .execute(),
    removeOld: (id: number) =>
      db
        .deleteFrom('reconciliation_result')
        .where('reconciliation_id', '=', id)
        .where('id', '<', (where) =>
          where
            .selectFrom('reconciliation_result as each')
            .select('each.id')
            .where('each.reconciliation_id', '=', id)
            .orderBy('each.id', 'desc')
            .offset(keptMax - 1)
            .limit(1),
        )
        .execute(),
    /** In place of those that a server has stored before it stopped. */
    setLines: async (
      resultId: number,
      lines: readonly Omit<NewRow<'reconciliation_line'>, 'result_id'>[],
    ) => {
      await db.deleteFrom('reconciliation_line').where('result_id', '=', resultId).execute()
      for (const some of inParts(lines, insertedAtOnce))
        await db
          .insertInto('reconciliation_line')
          .values(some.map((line) => ({ ...line, result_id: resultId })))
          .execute()
    },
    listLines: (resultId: number, { kind, ...query }: LineFilter) =>
      readPage(
        lines()
          .where('result_id', '=', resultId)
          .$if(kind !== undefined, (rows) =>
            rows.where('reconciliation_line.kind', '=', kind ?? 'state'),
          )
          .$if(query.search !== '', (rows) =>
            rows.where(containsWords(query.search, ['reconciliation_line.reference'])),
          )
          .orderBy(listOrder(query.sort, 'reconciliation_line.id', ['reference'])),
        query,
      ),
    listLinesAfter: (resultId: number, afterId: number, limit: number) =>
      lines()
        .where('result_id', '=', resultId)
        .where('reconciliation_line.id', '>', afterId)
        .orderBy('reconciliation_line.id')
        .limit(limit)
        .execute(),
    /** Live documents of a span of time, with the input of their run, by id. */
    listDocuments: (of: Documents & { from: string; to: string; afterId: number }, limit: number) =>
      documents(of)
        .where('document.created_at', '>=', of.from)
        .where('document.created_at', '<', of.to)
        .where('document.id', '>', of.afterId)
        .orderBy('document.id')
        .limit(limit)
        .execute(),
    listByReference: (of: Documents, references: readonly string[]) =>
      documents(of)
        .where('document.reference_key', 'in', [...references.map(referenceKey), ''])
        .execute(),
  }
}
