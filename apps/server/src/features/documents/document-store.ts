import type { DocumentState } from '@gatehouse/contract'
import { sql, type Expression, type SqlBool } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { withoutIndex } from '../../db/dialect.ts'
import { inOrderOf, type ListQuery } from '../../db/listing.ts'
import { orderOf, readLongList, type LongListing } from '../../db/long-list.ts'
import type { NewRow, Row, RowChange } from '../../db/tables.ts'

export type DocumentStore = ReturnType<typeof documentStore>
type DocumentRow = Row<'document'>
export type DocumentWithRuns = DocumentRow & { runs: number }
export type DocumentKey = Pick<DocumentRow, 'kind' | 'is_test' | 'reference'>

export interface DocumentFilter extends ListQuery {
  state?: DocumentState | '' | undefined
  kind?: DocumentRow['kind'] | '' | undefined
  test?: '0' | '1' | '' | undefined
}

/** The longest list on the page of a document. */
const relatedMax = 100

export function documentStore(db: Db) {
  const byKey = ({ kind, is_test, reference }: DocumentKey) =>
    db
      .selectFrom('document')
      .selectAll()
      .where('reference', '=', reference)
      .where('kind', '=', kind)
      .where('is_test', '=', is_test)

  const filtersOf = ({ state, kind, test }: DocumentFilter) => {
    const filters: Expression<SqlBool>[] = []
    // Most documents are real, and accepted in the end.
    const common = state === 'accepted' ? withoutIndex(db, 'document.state') : undefined
    if (state) filters.push(sql`${common ?? sql.ref('document.state')} = ${state}`)
    if (kind) filters.push(sql`${withoutIndex(db, 'document.kind')} = ${kind}`)
    if (test) filters.push(sql`${withoutIndex(db, 'document.is_test')} = ${Number(test)}`)
    return filters
  }

  const withRuns = () =>
    db
      .selectFrom('document')
      .selectAll('document')
      .select(
        sql<number>`(select count(distinct run_id) from document_step where document_id = document.id)`.as(
          'runs',
        ),
      )

  return {
    findByReference: (key: DocumentKey) => byKey(key).executeTakeFirst(),
    getByReference: (key: DocumentKey) => byKey(key).executeTakeFirstOrThrow(),
    /** Inserts the row of a new reference. Of two calls at once, the second waits and finds it. */
    ensure: (key: DocumentKey, now: string) =>
      db
        .insertInto('document')
        .values({ ...key, state: 'open', run_id: null, created_at: now, updated_at: now })
        .onConflict((conflict) => conflict.columns(['reference', 'kind', 'is_test']).doNothing())
        .execute(),
    /**
     * One conditional UPDATE decides which run holds a document. False where another run does,
     * except `holder`, which the run replaces.
     */
    take: async (
      key: DocumentKey,
      runId: number,
      change: RowChange<'document'>,
      holder: number = runId,
    ) => {
      const { numUpdatedRows } = await db
        .updateTable('document')
        .set({
          ...change,
          run_id: runId,
          state: sql<DocumentState>`case when state = 'accepted' then state else 'sending' end`,
        })
        .where('reference', '=', key.reference)
        .where('kind', '=', key.kind)
        .where('is_test', '=', key.is_test)
        .where((where) =>
          where.or([
            where('run_id', 'in', [runId, holder]),
            where('state', 'in', ['open', 'not_accepted']),
          ]),
        )
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },
    /** Marks a step as sending a document. An accepted or unknown link keeps its state. */
    linkStep: (link: Omit<NewRow<'document_step'>, 'state'>) =>
      db
        .insertInto('document_step')
        .values({ ...link, state: 'sending' })
        .onConflict((conflict) =>
          conflict.columns(['run_id', 'position']).doUpdateSet({
            document_id: link.document_id,
            state: sql<DocumentState>`case when document_step.document_id = ${link.document_id} and document_step.state in ('accepted', 'unknown') then document_step.state else 'sending' end`,
          }),
        )
        .execute(),
    findLink: (runId: number, position: number) =>
      db
        .selectFrom('document_step')
        .selectAll()
        .where('run_id', '=', runId)
        .where('position', '=', position)
        .executeTakeFirst(),
    setLinkState: (runId: number, position: number, state: DocumentState) =>
      db
        .updateTable('document_step')
        .set({ state })
        .where('run_id', '=', runId)
        .where('position', '=', position)
        .execute(),
    /** The links of all steps that carried the document, the latest first. */
    listLinks: (documentId: number) =>
      db
        .selectFrom('document_step')
        .selectAll()
        .where('document_id', '=', documentId)
        .orderBy('run_id', 'desc')
        .orderBy('position', 'desc')
        .execute(),
    /** The steps that carried the document, with the endpoints they were for. */
    listCarriers: (documentId: number) =>
      db
        .selectFrom('document_step as link')
        .leftJoin('run_step', (join) =>
          join
            .onRef('run_step.run_id', '=', 'link.run_id')
            .onRef('run_step.position', '=', 'link.position'),
        )
        .select(['link.run_id', 'link.position', 'link.state', 'run_step.endpoint_id'])
        .where('link.document_id', '=', documentId)
        .execute(),
    /** The steps of earlier runs whose answers this run reuses. */
    listKept: (runId: number) =>
      db
        .selectFrom('run_step as own')
        .innerJoin('run_step as kept', 'kept.id', 'own.reused_from')
        .select(['kept.run_id', 'kept.position'])
        .where('own.run_id', '=', runId)
        .execute(),
    /** The links of a run in the state `sending`. */
    listSending: (runId: number) =>
      db
        .selectFrom('document_step')
        .selectAll()
        .where('run_id', '=', runId)
        .where('state', '=', 'sending')
        .execute(),
    update: (id: number, change: RowChange<'document'>) =>
      db.updateTable('document').set(change).where('id', '=', id).execute(),
    /** Newest first unless another column is asked for; ties by id. */
    list: async (filter: DocumentFilter): Promise<LongListing<DocumentWithRuns>> => {
      const { sort = '-id', search, page, limit } = filter
      const order = orderOf(sort)
      const filters = filtersOf(filter)
      const list = { table: 'document', search, filters, page, limit, order } as const
      const found = await readLongList(db, list)
      if (found.rows.length === 0) return { ...found, rows: [] }
      const rows = await withRuns().where('id', 'in', found.rows).execute()
      return { ...found, rows: inOrderOf(found.rows, rows) }
    },
    find: (id: number) => withRuns().where('id', '=', id).executeTakeFirst(),
    findWithRuns: ({ kind, is_test, reference }: DocumentKey) =>
      withRuns()
        .where('reference', '=', reference)
        .where('kind', '=', kind)
        .where('is_test', '=', is_test)
        .executeTakeFirst(),
    listCredits: ({ reference, is_test }: DocumentRow) =>
      withRuns()
        .where('original_reference', '=', reference)
        .where('kind', '=', 'credit')
        .where('is_test', '=', is_test)
        .orderBy('id', 'desc')
        .limit(relatedMax)
        .execute(),
    listRuns: (documentId: number) =>
      db
        .selectFrom('document_step')
        .innerJoin('run', 'run.id', 'document_step.run_id')
        .select([
          'run.id',
          'run.kind',
          'run.state',
          'run.user_name',
          'run.created_at',
          'run.finished_at',
          'document_step.position',
          'document_step.state as document_state',
        ])
        .where('document_step.document_id', '=', documentId)
        .orderBy('run.id', 'desc')
        .orderBy('document_step.position')
        .limit(relatedMax)
        .execute(),
  }
}
