import { referenceKey } from '@gatehouse/contract/reference-key'
import { sql, type Expression, type SqlBool } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { isPostgres, withoutIndex } from '../../db/dialect.ts'
import { contains } from '../../db/listing.ts'
import { carriesOfRegister, registersOfRuns } from '../../db/lists/registers.ts'
import { findHits } from '../../db/search/search.ts'

/** Moments, ISO 8601; both inclusive. */
export interface Period {
  from: string | undefined
  to: string | undefined
}

interface HitFilter {
  state: string | undefined
  register: string | undefined
  period: Period
}

/** Of batches, that many of the newest are looked at. */
const newestBatches = 5_000

/** Finds what is searched for by what it is called, and reads what is shown of it. */
export function searchHitStore(db: Db) {
  const among = (column: string, ids: readonly number[]) =>
    isPostgres(db)
      ? sql<SqlBool>`${sql.ref(column)} = any(${ids}::int[])`
      : sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(ids)}))`
  const within = (column: string, { from, to }: Period): Expression<SqlBool> =>
    sql<SqlBool>`${sql.ref(column)} between ${from ?? ''} and ${to ?? '\u{10ffff}'}`

  const ofRegister = (table: 'run' | 'document', register: string) =>
    table === 'run'
      ? carriesOfRegister(db, sql.ref('run.id'), register)
      : sql<SqlBool>`${withoutIndex(db, 'register')} = ${register}`

  return {
    /** Runs that have this reference, idempotency key or id; newest first. */
    findRuns: async (texts: readonly string[], id: number | undefined, limit: number) => {
      const rows = await sql<{ id: number }>`
        select id from run where reference in (${sql.join(texts)})
        union select id from run where client_key in (${sql.join(texts)})
        union select id from run where id = ${id ?? 0}
        order by id desc limit ${limit}`.execute(db)
      return rows.rows.map((row) => row.id)
    },
    findDocuments: async (texts: readonly string[], limit: number) => {
      const rows = await db
        .selectFrom('document')
        .select('id')
        .where('reference_key', 'in', texts.map(referenceKey))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map((row) => row.id)
    },
    /** Those whose references begin with one of the texts, the last ones in their order. */
    findBeginning: async (
      table: 'run' | 'document',
      texts: readonly string[],
      limit: number,
    ): Promise<number[]> => {
      const each = texts.map(
        (text) => sql`select * from (select id from ${sql.table(table)}
          where reference >= ${text} and reference < ${`${text}\u{10ffff}`}
          order by reference desc limit ${limit}) as found`,
      )
      const { rows } = await sql<{ id: number }>`${sql.join(each, sql` union `)}`.execute(db)
      return rows.map(({ id }) => id)
    },
    /** Those whose references hold the text. Nothing where the database has no index for it. */
    findDocumentParts: async (text: string, limit: number): Promise<number[]> =>
      (await hasTrigrams(db))
        ? (await findHits(db, { table: 'document', search: text, filters: [] }, limit)).ids
        : [],
    listRunsOfDocuments: async (documentIds: readonly number[]): Promise<number[]> => {
      const rows = await sql<{ id: number }>`select distinct run_id as id from document_step
        where ${among('document_id', documentIds)}`.execute(db)
      return rows.rows.map((row) => row.id)
    },
    listDocumentsOfRuns: async (runIds: readonly number[]): Promise<number[]> => {
      const rows = await sql<{ id: number }>`select distinct document_id as id from document_step
        where ${among('run_id', runIds)}`.execute(db)
      return rows.rows.map((row) => row.id)
    },
    /** The ids among these that pass the filters. */
    filter: async (
      table: 'run' | 'document',
      ids: readonly number[],
      { state, register, period }: HitFilter,
    ): Promise<number[]> => {
      const conditions = [
        among('id', ids),
        ...((period.from ?? period.to) ? [within('created_at', period)] : []),
        ...(state === undefined ? [] : [sql<SqlBool>`state = ${state}`]),
        ...(register === undefined ? [] : [ofRegister(table, register)]),
      ]
      if (conditions.length === 1) return [...ids]
      const rows = await sql<{ id: number }>`select id from ${sql.table(table)}
        where ${sql.join(conditions, sql` and `)}`.execute(db)
      const left = new Set(rows.rows.map(({ id }) => id))
      return ids.filter((id) => left.has(id))
    },
    /**
     * The ids between which the runs of a period are. Ids follow time as far as the clocks of the servers agree:
     * filter what is found by time as well.
     */
    boundsOf: async ({ from, to }: Period): Promise<{ from: number; to: number }> => {
      const edge = async (moment: string | undefined, direction: 'asc' | 'desc') => {
        const compare = sql.raw(direction === 'asc' ? '>=' : '<=')
        const order = sql.raw(direction)
        const where = moment === undefined ? sql`` : sql`where created_at ${compare} ${moment}`
        const { rows } = await sql<{ id: number }>`select id from run ${where}
          order by created_at ${order}, id ${order} limit 1`.execute(db)
        return rows[0]?.id
      }
      const slack = 1_000
      const newest = await db
        .selectFrom('run')
        .select('id')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      const end = newest?.id ?? 0
      const first = from === undefined ? 1 : ((await edge(from, 'asc')) ?? end + 1)
      const last = to === undefined ? end : ((await edge(to, 'desc')) ?? 0)
      return { from: Math.max(1, first - slack), to: Math.min(end, last + slack) }
    },
    findBatches: async (words: readonly string[], period: Period, limit: number) => {
      const { rows } = await sql<{ id: number }>`select batch.id from batch
        join workflow on workflow.id = batch.workflow_id
        where batch.stored_by is null and ${within('batch.created_at', period)}
          and batch.id > (select coalesce(max(id), 0) - ${newestBatches} from batch)
          and ${allOf(words, ['batch.file_name', 'batch.user_name', 'workflow.name', 'workflow.slug'])}
        order by batch.id desc limit ${limit}`.execute(db)
      return rows.map(({ id }) => id)
    },
    findWorkflows: async (words: readonly string[], limit: number) => {
      const { rows } = await sql<{ id: number }>`select id from workflow where deleted_at is null
        and ${allOf(words, ['workflow.name', 'workflow.slug', 'workflow.description'])}
        order by id desc limit ${limit}`.execute(db)
      return rows.map(({ id }) => id)
    },
    createdAt: async (runId: number): Promise<string | null> => {
      const row = await db
        .selectFrom('run')
        .select('created_at')
        .where('id', '>=', runId)
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      return row?.created_at ?? null
    },
    ...shownHits(db),
  }
}

/** Each word is in one of the columns. */
const allOf = (words: readonly string[], columns: readonly string[]) =>
  sql.join(
    words.map((word) => contains(word, columns)),
    sql` and `,
  )

function shownHits(db: Db) {
  return {
    showRuns: (ids: readonly number[]) =>
      db
        .selectFrom('run')
        .leftJoin('workflow', 'workflow.id', 'run.workflow_id')
        .select(['run.id', 'run.reference', 'run.client_key', 'run.state', 'run.is_test'])
        .select(['run.created_at', 'run.workflow_id', 'workflow.name as workflow_name'])
        .where('run.id', 'in', ids)
        .execute(),
    registersOf: (runIds: readonly number[]) => registersOfRuns(db, runIds),
    showDocuments: (ids: readonly number[]) =>
      db.selectFrom('document').selectAll().where('id', 'in', ids).execute(),
    showBatches: (ids: readonly number[]) =>
      db
        .selectFrom('batch')
        .innerJoin('workflow', 'workflow.id', 'batch.workflow_id')
        .select(['batch.id', 'batch.file_name', 'batch.is_test', 'batch.created_at'])
        .select(['batch.workflow_id', 'workflow.name as workflow_name'])
        .where('batch.id', 'in', ids)
        .execute(),
    showWorkflows: (ids: readonly number[]) =>
      db.selectFrom('workflow').selectAll().where('id', 'in', ids).execute(),
  }
}

const withTrigrams = new WeakMap<object, Promise<boolean>>()

/** Where pg_trgm can't be had, every row of a table would be read. */
function hasTrigrams(db: Db): Promise<boolean> {
  if (!isPostgres(db)) return Promise.resolve(true)
  const key = db.getExecutor().adapter
  const known =
    withTrigrams.get(key) ??
    sql`select 1 from pg_indexes where indexname = 'document_search_reference'`
      .execute(db)
      .then(({ rows }) => rows.length > 0)
  withTrigrams.set(key, known)
  known.catch(() => withTrigrams.delete(key))
  return known
}
