import type { DocumentState } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { directionOf, inOrderOf, isSearchAlone, walkTo, type ListQuery } from '../../db/listing.ts'
import { areManyHits, beside, countHolders, holdsText, holdsTextOften } from '../../db/search.ts'
import type { NewRow, Row, RowChange } from '../../db/tables.ts'

export type DocumentStore = ReturnType<typeof documentStore>
export type DocumentRow = Row<'document'>
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

  const filtered = ({ search, state, kind, test }: DocumentFilter, holds = holdsText) => {
    let query = db.selectFrom('document')
    if (search) query = query.where(holds(db, 'document', search))
    if (state) query = query.where('state', '=', state)
    if (kind) query = query.where('kind', '=', kind)
    if (test) query = query.where('is_test', '=', test === '1' ? 1 : 0)
    return query
  }

  const looking = async (filter: DocumentFilter) =>
    filter.search && !isSearchAlone(filter) ? beside(db, 'document', filter.search) : holdsText

  const count = async (filter: DocumentFilter, holds = looking(filter)): Promise<number> => {
    const hits = isSearchAlone(filter)
      ? await countHolders(db, 'document', filter.search)
      : undefined
    if (hits !== undefined) return hits
    const { total } = await filtered(filter, await holds)
      .select(sql<number>`count(*)`.as('total'))
      .executeTakeFirstOrThrow()
    return total
  }

  const withRuns = (query: ReturnType<typeof filtered>) =>
    query
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
    /**
     * Newest first unless another column is asked for; ties by id. The page is found by the indexes
     * alone; only its own rows are read.
     */
    list: async (filter: DocumentFilter) => {
      const looks = looking(filter)
      const total = await count(filter, looks)
      const walk = walkTo(filter, total)
      if (!walk) return { rows: [], total }
      const sort = filter.sort ?? '-id'
      const column = sort.replace(/^-/, '') as 'id' | 'reference' | 'state' | 'updated_at'
      const direction = directionOf(sort.startsWith('-') ? 'desc' : 'asc', walk)
      const holds = areManyHits(total) ? holdsTextOften : await looks
      const page = await filtered(filter, holds)
        .select('id')
        .orderBy(column, direction)
        .$if(column !== 'id', (query) => query.orderBy('id', direction))
        .limit(walk.limit)
        .offset(walk.offset)
        .execute()
      const ids = page.map(({ id }) => id)
      const found = await withRuns(db.selectFrom('document')).where('id', 'in', ids).execute()
      return { rows: inOrderOf(walk.isBackward ? ids.toReversed() : ids, found), total }
    },
    find: (id: number) =>
      withRuns(db.selectFrom('document')).where('id', '=', id).executeTakeFirst(),
    findWithRuns: ({ kind, is_test, reference }: DocumentKey) =>
      withRuns(db.selectFrom('document'))
        .where('reference', '=', reference)
        .where('kind', '=', kind)
        .where('is_test', '=', is_test)
        .executeTakeFirst(),
    listCredits: ({ reference, is_test }: DocumentRow) =>
      withRuns(db.selectFrom('document'))
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
