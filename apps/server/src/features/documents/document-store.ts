import type { DocumentState } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { statement } from '../../db/statement.ts'
import type { NewRow, Row, RowChange } from '../../db/tables.ts'

type DocumentRow = Row<'document'>
export type DocumentKey = Pick<DocumentRow, 'kind' | 'is_test' | 'reference'>

type NewLink = Omit<NewRow<'document_step'>, 'state'>

const findByKey = statement((db, { reference, kind, is_test }: DocumentKey) =>
  db
    .selectFrom('document')
    .selectAll()
    .where('reference', '=', reference)
    .where('kind', '=', kind)
    .where('is_test', '=', is_test),
)

/** What a run says of a document that it claims. */
interface ClaimChange {
  original_reference: string | null
  /** The API that it is sent to. */
  api_id: number | null
  updated_at: string
}

interface Claim extends DocumentKey, Omit<ClaimChange, 'updated_at'> {
  run_id: number
  at: string
}

const claim = statement(
  (db, { reference, kind, is_test, run_id, original_reference, api_id, at }: Claim) =>
    db
      .insertInto('document')
      .values({
        reference,
        kind,
        is_test,
        state: 'sending',
        run_id,
        original_reference,
        api_id,
        created_at: at,
        updated_at: at,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['reference', 'kind', 'is_test'])
          .doUpdateSet({
            run_id,
            original_reference,
            api_id,
            updated_at: at,
            state: sql<DocumentState>`case when document.state = 'accepted' then document.state else 'sending' end`,
          })
          .where(
            sql<boolean>`document.state in ('open', 'not_accepted') or document.run_id = ${run_id}
              and (document.state not in ('sending', 'accepted')
                or document.original_reference is distinct from excluded.original_reference)`,
          ),
      ),
)

const linkStep = statement((db, { link }: { link: NewLink }) =>
  db
    .insertInto('document_step')
    .values({ ...link, state: 'sending' })
    .onConflict((conflict) =>
      conflict.columns(['run_id', 'position', 'document_id']).doUpdateSet({
        message: null,
        state: sql<DocumentState>`case when document_step.state in ('accepted', 'unknown', 'pending') then document_step.state else 'sending' end`,
      }),
    ),
)

const listCarriers = statement((db, { reference, kind, is_test }: DocumentKey) =>
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
    .where('document.is_test', '=', is_test),
)

const listLinksBeside = statement((db, { runId, position }: { runId: number; position: number }) =>
  db
    .selectFrom('document_step as own')
    .innerJoin('document_step as link', 'link.document_id', 'own.document_id')
    .innerJoin('document', 'document.id', 'own.document_id')
    .selectAll('link')
    .select('document.reference')
    .where('own.run_id', '=', runId)
    .where('own.position', '=', position)
    .orderBy('link.run_id', 'desc')
    .orderBy('link.position', 'desc'),
)

interface LinkChange extends NewLink {
  change: RowChange<'document_step'>
}

const setLink = statement((db, { run_id, position, document_id, change }: LinkChange) =>
  db
    .updateTable('document_step')
    .set(change)
    .where('run_id', '=', run_id)
    .where('position', '=', position)
    .where('document_id', '=', document_id),
)

const update = statement((db, { id, change }: { id: number; change: RowChange<'document'> }) =>
  db.updateTable('document').set(change).where('id', '=', id),
)

/** The ledger of documents: which run holds each, and which steps carried it. Runs write it. */
export function documentStore(db: Db) {
  const findByReference = async ({ reference, kind, is_test }: DocumentKey) =>
    (await findByKey(db, { reference, kind, is_test })).rows[0]

  return {
    findByReference,
    getByReference: async (key: DocumentKey) => {
      const document = await findByReference(key)
      if (!document) throw new Error(`There is no document ${key.reference}.`)
      return document
    },
    /**
     * Takes a document for a run, and inserts the row of a new reference. Of two runs at once the
     * second waits for the first. Does nothing but lock the row where another run holds the
     * document, or where this one holds it already.
     */
    claim: (
      { reference, kind, is_test }: DocumentKey,
      run_id: number,
      { updated_at: at, ...change }: ClaimChange,
    ) => claim(db, { reference, kind, is_test, run_id, ...change, at }),
    /** Takes a document from the run that this one replaces. False where another run holds it. */
    takeFrom: async (holder: number, key: DocumentKey, runId: number, change: ClaimChange) => {
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
    linkStep: (link: NewLink) => linkStep(db, { link }),
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
    listLinksBeside: async (runId: number, position: number) =>
      (await listLinksBeside(db, { runId, position })).rows,
    setLink: ({ run_id, position, document_id }: NewLink, change: RowChange<'document_step'>) =>
      setLink(db, { run_id, position, document_id, change }),
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
    listCarriers: async ({ reference, kind, is_test }: DocumentKey) =>
      (await listCarriers(db, { reference, kind, is_test })).rows,
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
    update: (id: number, change: RowChange<'document'>) => update(db, { id, change }),
  }
}
