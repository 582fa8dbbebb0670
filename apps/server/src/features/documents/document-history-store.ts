import type { DocumentState } from '@gatehouse/contract'
import { referenceKey } from '@gatehouse/contract/reference-key'
import { sql, type Expression, type SqlBool } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { withoutIndex } from '../../db/dialect.ts'
import { endOfRange, inOrderOf, startOfRange, type ListQuery } from '../../db/listing.ts'
import { orderOf, readLongList, type LongListing } from '../../db/long-list.ts'
import type { Row } from '../../db/tables.ts'
import type { DocumentKey } from './document-store.ts'

export type DocumentHistoryStore = ReturnType<typeof documentHistoryStore>
type DocumentRow = Row<'document'>
export type DocumentWithRuns = DocumentRow & { runs: number }

export interface DocumentFilter extends ListQuery {
  state?: DocumentState | '' | undefined
  kind?: DocumentRow['kind'] | '' | undefined
  test?: '0' | '1' | '' | undefined
  api?: number | undefined
  register?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** The longest list on the page of a document. */
const relatedMax = 100

/** Documents as the screens list and show them. Reads only. */
export function documentHistoryStore(db: Db) {
  const filtersOf = ({ state, kind, test, api, register, from, to, sort }: DocumentFilter) => {
    const filters: Expression<SqlBool>[] = []
    // Most documents are real, and accepted in the end. A span of time has an index with all filters.
    const isCommon = state === 'accepted' || from || to
    const ofState = isCommon ? withoutIndex(db, 'document.state') : sql.ref('document.state')
    if (state) filters.push(sql`${ofState} = ${state}`)
    if (from) filters.push(sql`document.created_at >= ${startOfRange(from)}`)
    if (to) filters.push(sql`document.created_at <= ${endOfRange(to)}`)
    // Its index has the order of the age, and nothing else.
    const ofApi =
      state || from || to || sort ? withoutIndex(db, 'document.api_id') : sql.ref('document.api_id')
    if (api) filters.push(sql`${ofApi} = ${api}`)
    const ofRegister =
      state || api || from || to || sort
        ? withoutIndex(db, 'document.register')
        : sql.ref('document.register')
    if (register) filters.push(sql`${ofRegister} = ${register}`)
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
    /** Newest first unless another column is asked for; ties by id. */
    list: async (filter: DocumentFilter): Promise<LongListing<DocumentWithRuns>> => {
      const { search, page, limit, from, to } = filter
      // By the index of a span of time; both orders are those of the age.
      const { sort = from || to ? '-created_at' : '-id' } = filter
      const order = orderOf(sort)
      const filters = filtersOf(filter)
      const list = { table: 'document', search, filters, page, limit, order } as const
      const found = await readLongList(db, list)
      if (found.rows.length === 0) return { ...found, rows: [] }
      const rows = await withRuns().where('id', 'in', found.rows).execute()
      return { ...found, rows: inOrderOf(found.rows, rows) }
    },
    find: (id: number) => withRuns().where('id', '=', id).executeTakeFirst(),
    findWithRuns: ({ register, kind, is_test, reference }: DocumentKey) =>
      withRuns()
        .where('reference_key', '=', referenceKey(reference))
        .where('register', '=', register)
        .where('kind', '=', kind)
        .where('is_test', '=', is_test)
        .executeTakeFirst(),
    listCredits: ({ register, reference_key, is_test }: DocumentRow) =>
      withRuns()
        .where('original_key', '=', reference_key)
        .where('register', '=', register)
        .where('kind', '=', 'credit')
        .where('is_test', '=', is_test)
        .orderBy('id', 'desc')
        .limit(relatedMax)
        .execute(),
    /** Every register that a document or an API has. */
    listRegisters: async () => {
      // From one name to the next: there are few among many documents.
      const { rows } = await sql<{ name: string }>`with recursive step(name) as (
          select min(register) from document
          union all select (select min(register) from document where register > step.name) from step
            where step.name is not null)
        select name from step where name is not null`.execute(db)
      const apis = await db
        .selectFrom('api')
        .select(['id', 'name', 'document_register'])
        .orderBy('name_key')
        .execute()
      const names = new Set([
        ...rows.map(({ name }) => name),
        ...apis.map(({ document_register }) => document_register),
      ])
      return [...names]
        .toSorted((one, other) => one.localeCompare(other, 'en'))
        .map((name) => ({
          name,
          apis: apis
            .filter(({ document_register }) => document_register === name)
            .map((api) => ({ id: api.id, name: api.name })),
        }))
    },
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
