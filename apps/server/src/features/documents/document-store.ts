import type { DocumentState } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { NewRow, Row, RowChange } from '../../db/tables.ts'

type DocumentRow = Row<'document'>
export type DocumentKey = Pick<DocumentRow, 'kind' | 'is_test' | 'reference'>

/** The ledger of documents: which run holds each, and which steps carried it. Runs write it. */
export function documentStore(db: Db) {
  const byKey = ({ kind, is_test, reference }: DocumentKey) =>
    db
      .selectFrom('document')
      .selectAll()
      .where('reference', '=', reference)
      .where('kind', '=', kind)
      .where('is_test', '=', is_test)

  return {
    findByReference: (key: DocumentKey) => byKey(key).executeTakeFirst(),
    getByReference: (key: DocumentKey) => byKey(key).executeTakeFirstOrThrow(),
    /**
     * Takes a document for a run, and inserts the row of a new reference. Of two runs at once the
     * second waits for the first. Does nothing but lock the row where another run holds the
     * document, or where this one holds it already.
     */
    claim: (
      key: DocumentKey,
      runId: number,
      { original_reference, updated_at }: { original_reference: string | null; updated_at: string },
    ) =>
      db
        .insertInto('document')
        .values({
          ...key,
          state: 'sending',
          run_id: runId,
          original_reference,
          created_at: updated_at,
          updated_at,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['reference', 'kind', 'is_test'])
            .doUpdateSet({
              run_id: runId,
              original_reference,
              updated_at,
              state: sql<DocumentState>`case when document.state = 'accepted' then document.state else 'sending' end`,
            })
            .where(
              sql<boolean>`document.state in ('open', 'not_accepted') or document.run_id = ${runId}
                and (document.state not in ('sending', 'accepted')
                  or document.original_reference is distinct from excluded.original_reference)`,
            ),
        )
        .execute(),
    /** Takes a document from the run that this one replaces. False where another run holds it. */
    takeFrom: async (
      holder: number,
      key: DocumentKey,
      runId: number,
      change: RowChange<'document'>,
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
        .where('run_id', '=', holder)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },
    /** Marks a step as sending a document. An accepted or unknown link keeps its state. */
    linkStep: (link: Omit<NewRow<'document_step'>, 'state'>) =>
      db
        .insertInto('document_step')
        .values({ ...link, state: 'sending' })
        .onConflict((conflict) =>
          conflict.columns(['run_id', 'position', 'document_id']).doUpdateSet({
            message: null,
            state: sql<DocumentState>`case when document_step.state in ('accepted', 'unknown', 'pending') then document_step.state else 'sending' end`,
          }),
        )
        .execute(),
    /** Removes what a step carried before its body was filled in again. */
    unlinkOthers: (runId: number, position: number, documentIds: readonly number[]) =>
      db
        .deleteFrom('document_step')
        .where('run_id', '=', runId)
        .where('position', '=', position)
        .where('state', 'in', ['open', 'sending'])
        .where('document_id', 'not in', documentIds)
        .execute(),
    /** The documents that a step carries, with what it says of each. */
    listOfStep: (runId: number, position: number) =>
      db
        .selectFrom('document_step')
        .innerJoin('document', 'document.id', 'document_step.document_id')
        .select(['document.id', 'reference', 'original_reference'])
        .select(['document_step.state', 'document_step.message'])
        .where('document_step.run_id', '=', runId)
        .where('position', '=', position)
        .orderBy('document.id')
        .execute(),
    /** What the steps of a run carry. */
    listOfRun: (runId: number) =>
      db
        .selectFrom('document_step')
        .innerJoin('document', 'document.id', 'document_step.document_id')
        .select(['document.id', 'reference', 'authority_reference', 'position'])
        .select(['document_step.state', 'document_step.message'])
        .where('document_step.run_id', '=', runId)
        .orderBy('position')
        .orderBy('document.id')
        .execute(),
    /** The links of all steps that carried the documents of this step, the latest first. */
    listLinksBeside: (runId: number, position: number) =>
      db
        .selectFrom('document_step as own')
        .innerJoin('document_step as link', 'link.document_id', 'own.document_id')
        .innerJoin('document', 'document.id', 'own.document_id')
        .selectAll('link')
        .select('document.reference')
        .where('own.run_id', '=', runId)
        .where('own.position', '=', position)
        .orderBy('link.run_id', 'desc')
        .orderBy('link.position', 'desc')
        .execute(),
    setLink: (
      { run_id, position, document_id }: Omit<NewRow<'document_step'>, 'state'>,
      change: RowChange<'document_step'>,
    ) =>
      db
        .updateTable('document_step')
        .set(change)
        .where('run_id', '=', run_id)
        .where('position', '=', position)
        .where('document_id', '=', document_id)
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
    listCarriers: ({ reference, kind, is_test }: DocumentKey) =>
      db
        .selectFrom('document')
        .innerJoin('document_step as link', 'link.document_id', 'document.id')
        .leftJoin('run_step', (join) =>
          join
            .onRef('run_step.run_id', '=', 'link.run_id')
            .onRef('run_step.position', '=', 'link.position'),
        )
        .select(['link.run_id', 'link.position', 'link.state', 'run_step.endpoint_id'])
        .where('document.reference', '=', reference)
        .where('document.kind', '=', kind)
        .where('document.is_test', '=', is_test)
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
  }
}
