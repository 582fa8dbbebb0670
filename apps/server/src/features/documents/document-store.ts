import type { DocumentState } from '@gatehouse/contract'
import { referenceKey } from '@gatehouse/contract/reference-key'
import { sql } from 'kysely'
import { allOf } from '../../db/all-of.ts'
import type { Db } from '../../db/connect.ts'
import { lockRecord, shareRecord } from '../../db/dialect.ts'
import { statement } from '../../db/statement.ts'
import type { NewRow, Row, RowChange } from '../../db/tables.ts'

type DocumentRow = Row<'document'>
/** What a document is known by: two references that look the same are the same (spec: document-register). */
export type DocumentKey = Pick<DocumentRow, 'register' | 'kind' | 'is_test' | 'reference'>
type StoredKey = Pick<DocumentRow, 'register' | 'kind' | 'is_test' | 'reference_key'>

const storedKey = ({ register, kind, is_test, reference }: DocumentKey): StoredKey => ({
  register,
  kind,
  is_test,
  reference_key: referenceKey(reference),
})

type NewLink = Omit<NewRow<'document_step'>, 'state'>

const findByKey = statement((db, { register, reference_key, kind, is_test }: StoredKey) =>
  db
    .selectFrom('document')
    .selectAll()
    .where('reference_key', '=', reference_key)
    .where('register', '=', register)
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

interface Claim extends StoredKey, Omit<ClaimChange, 'updated_at'> {
  reference: string
  original_key: string | null
  run_id: number
  at: string
  /** 1: only while the API has this register; 0: the document keeps its own. */
  follows_api: 0 | 1
}

const claim = statement((db, { at, follows_api, ...own }: Claim) => {
  const row = { ...own, state: 'sending', created_at: at, updated_at: at } as const
  const names = Object.keys(row) as (keyof typeof row)[]
  return (
    db
      .insertInto('document')
      .columns(names)
      // Without an API there is nothing that it could follow.
      .expression(
        db
          .selectNoFrom(names.map((name) => sql`${row[name]}`.as(name)))
          .where(
            sql<boolean>`${follows_api} = 0 or exists (select 1 from api where id = ${own.api_id} and document_register = ${own.register})`,
          ),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['reference_key', 'register', 'kind', 'is_test'])
          .doUpdateSet({
            run_id: own.run_id,
            original_reference: own.original_reference,
            original_key: own.original_key,
            api_id: own.api_id,
            updated_at: at,
            state: sql<DocumentState>`case when document.state = 'accepted' then document.state else 'sending' end`,
          })
          .where(
            sql<boolean>`document.state in ('open', 'not_accepted') or document.run_id = ${own.run_id}
              and (document.state not in ('sending', 'accepted')
                or document.original_reference is distinct from excluded.original_reference)`,
          ),
      )
  )
})

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

const listCarriers = statement((db, { register, reference_key, kind, is_test }: StoredKey) =>
  db
    .selectFrom('document')
    .innerJoin('document_step as link', 'link.document_id', 'document.id')
    .leftJoin('run_step', (join) =>
      join
        .onRef('run_step.run_id', '=', 'link.run_id')
        .onRef('run_step.position', '=', 'link.position'),
    )
    .select(['link.run_id', 'link.position', 'link.state', 'run_step.endpoint_id'])
    .where('document.reference_key', '=', reference_key)
    .where('document.register', '=', register)
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

/** Of the locks between claims of an API and a change of its register; any number that no other kind has. */
const registerLock = 48_214

/** The ledger of documents: which run holds each, and which steps carried it. Runs write it. */
export function documentStore(db: Db) {
  const findByReference = async (key: DocumentKey) => (await findByKey(db, storedKey(key))).rows[0]

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
     * document, or where this one holds it already, and nothing at all where the API it follows has another
     * register by now.
     */
    claim: async (
      key: DocumentKey,
      run_id: number,
      { updated_at: at, original_reference, api_id }: ClaimChange,
      { isOfApi }: { isOfApi: boolean },
    ): Promise<void> => {
      const locked = api_id === null ? undefined : shareRecord(db, registerLock, api_id)
      const follows_api = isOfApi && api_id !== null ? 1 : 0
      const original_key = original_reference === null ? null : referenceKey(original_reference)
      const own = { ...storedKey(key), reference: key.reference, original_reference, original_key }
      await allOf([locked, claim(db, { ...own, run_id, api_id, at, follows_api })])
    },
    /** Claims of documents that go to the API wait until this transaction has ended. */
    holdClaimsOf: (apiId: number) => lockRecord(db, registerLock, apiId),
    /** Takes a document from the run that this one replaces. False where another run holds it. */
    takeFrom: async (holder: number, key: DocumentKey, runId: number, change: ClaimChange) => {
      const { numUpdatedRows } = await db
        .updateTable('document')
        .set({
          ...change,
          original_key:
            change.original_reference === null ? null : referenceKey(change.original_reference),
          run_id: runId,
          state: sql<DocumentState>`case when state = 'accepted' then state else 'sending' end`,
        })
        .where('reference_key', '=', referenceKey(key.reference))
        .where('register', '=', key.register)
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
        .select(['document.id', 'register', 'reference', 'original_reference'])
        .select(['document_step.state', 'document_step.message'])
        .where('document_step.run_id', '=', runId)
        .where('position', '=', position)
        .orderBy('document.id')
        .execute(),
    /** The documents of a step that are not decided; where all are, those that were not accepted. */
    listUndecided: async (runId: number, position: number): Promise<string[]> => {
      const rows = await db
        .selectFrom('document_step')
        .innerJoin('document', 'document.id', 'document_step.document_id')
        .select(['document.reference', 'document_step.state'])
        .where('document_step.run_id', '=', runId)
        .where('position', '=', position)
        .where('document_step.state', '<>', 'accepted')
        .orderBy('document.id')
        .execute()
      const open = rows.filter(({ state }) => ['unknown', 'pending', 'sending'].includes(state))
      return (open.length > 0 ? open : rows).map(({ reference }) => reference)
    },
    /** What the steps of a run carry. */
    listOfRun: (runId: number) =>
      db
        .selectFrom('document_step')
        .innerJoin('document', 'document.id', 'document_step.document_id')
        .select(['document.id', 'register', 'reference', 'authority_reference', 'position'])
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
    listCarriers: async (key: DocumentKey) => (await listCarriers(db, storedKey(key))).rows,
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
    /** Documents of a register that an API's steps carried and that are not decided, with the first of them. */
    listOpenOfApi: async (apiId: number, register: string, limit: number) => {
      const open = db
        .selectFrom('document')
        .leftJoin('run', 'run.id', 'document.run_id')
        .where('document.register', '=', register)
        .where('document.state', 'in', ['open', 'sending', 'unknown', 'pending'])
        // What nobody goes on with is not open.
        .where(
          sql<boolean>`(document.state <> 'open' or (run.state not in ('cancelled', 'succeeded')
            and run.closed_at is null and run.overtaken_by is null))`,
        )
        .where(
          sql<boolean>`(document.api_id = ${apiId} or exists (select 1 from document_step as link
            join run_step on run_step.run_id = link.run_id and run_step.position = link.position
            join endpoint on endpoint.id = run_step.endpoint_id
            where link.document_id = document.id and endpoint.api_id = ${apiId}))`,
        )
      const { count } = await open
        .select(sql<number>`count(*)`.as('count'))
        .executeTakeFirstOrThrow()
      const rows = await open
        .select('document.reference')
        .orderBy('document.id')
        .limit(limit)
        .execute()
      return { count, references: rows.map(({ reference }) => reference) }
    },
    /** How many documents of a register went to the API last. */
    countOfApi: async (apiId: number, register: string) => {
      const { count } = await db
        .selectFrom('document')
        .select(sql<number>`count(*)`.as('count'))
        .where('api_id', '=', apiId)
        .where('register', '=', register)
        .executeTakeFirstOrThrow()
      return count
    },
  }
}
