import { sql } from 'kysely'
import { allOf } from '../../db/all-of.ts'
import type { Db } from '../../db/connect.ts'
import { hurry, lockUntilCommit } from '../../db/dialect.ts'
import { containsWords, listOrder, readPage, type ListQuery } from '../../db/listing.ts'
import { statement } from '../../db/statement.ts'
import type { NewRow, Row, RowChange } from '../../db/tables.ts'
import { countTags, hasTag } from '../../db/tags.ts'
import { updateIfUnchanged } from '../../db/update-if-unchanged.ts'

export type ApiStore = ReturnType<typeof apiStore>
export type ApiRow = Row<'api'>

export interface ApiFilter extends ListQuery {
  gateway_status?: ApiRow['gateway_status'] | undefined
  api_protocol?: ApiRow['api_protocol'] | undefined
  tag?: string | undefined
}

type Filter = Omit<ApiFilter, 'page' | 'limit' | 'sort'>

/** Any number that no other lock has. */
const contextLock = 48_213
const textColumns = ['name', 'context', 'gateway_status', 'api_protocol', 'api_url']

const listOfEndpoints = statement((db, { endpointIds }: { endpointIds: readonly number[] }) =>
  db
    .selectFrom('api')
    .selectAll()
    .where('id', 'in', (from) =>
      from.selectFrom('endpoint').select('api_id').where('id', 'in', endpointIds),
    ),
)

export function apiStore(db: Db) {
  const filtered = ({ search, gateway_status, api_protocol, tag }: Filter) => {
    let query = db.selectFrom('api')
    if (search) {
      query = query.where(
        containsWords(search, [
          'api.name',
          'api.api_url',
          'api.host',
          'api.func_name',
          'api.context',
        ]),
      )
    }
    if (gateway_status) query = query.where('gateway_status', '=', gateway_status)
    if (api_protocol) query = query.where('api_protocol', '=', api_protocol)
    if (tag) query = query.where(hasTag(db, 'api', tag))
    return query
  }

  return {
    list: async (filter: ApiFilter) => {
      const query = filtered(filter)
        .selectAll('api')
        .select((select) =>
          select
            .selectFrom('endpoint')
            .select(sql<number>`count(*)`.as('count'))
            .whereRef('endpoint.api_id', '=', 'api.id')
            .as('endpoints_count'),
        )
        .select((select) =>
          select
            .selectFrom('procedure_contract')
            .select('procedure_contract.drift_kind')
            .whereRef('procedure_contract.api_id', '=', 'api.id')
            .as('drift'),
        )
        .orderBy(listOrder(filter.sort, 'api.id', textColumns))
      const { rows, total } = await readPage(query, filter)
      return {
        rows: rows.map((row) => ({ ...row, endpoints_count: Number(row.endpoints_count) })),
        total,
      }
    },
    /** The first of those that a filter finds, by their ids. */
    listIdsAfter: async (filter: Filter, after: number, limit: number) => {
      const rows = await filtered(filter)
        .select('api.id')
        .where('api.id', '>', after)
        .orderBy('api.id')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },
    countTags: () => countTags(db, 'api'),
    /** For choice lists: every API by name. */
    listAll: () => db.selectFrom('api').selectAll().orderBy('name_key').execute(),
    findAll: async (ids: readonly number[]): Promise<ApiRow[]> =>
      ids.length === 0
        ? []
        : await db.selectFrom('api').selectAll().where('id', 'in', ids).orderBy('id').execute(),
    /** The APIs of these endpoints. */
    listOfEndpoints: async (endpointIds: readonly number[]): Promise<ApiRow[]> =>
      endpointIds.length === 0 ? [] : (await listOfEndpoints(db, { endpointIds })).rows,
    find: (id: number) => db.selectFrom('api').selectAll().where('id', '=', id).executeTakeFirst(),
    listNames: () => db.selectFrom('api').select(['id', 'name as text']).execute(),
    findByName: (name: string) =>
      db
        .selectFrom('api')
        .selectAll()
        .where('name_key', '=', name.toLowerCase())
        .executeTakeFirst(),
    findByContext: (context: string) =>
      db.selectFrom('api').selectAll().where('context', '=', context).executeTakeFirst(),
    hasRegister: async (register: string) =>
      (await db
        .selectFrom('api')
        .select('id')
        .where('document_register', '=', register)
        .limit(1)
        .executeTakeFirst()) !== undefined,
    countEndpoints: async (id: number) => {
      const { count } = await db
        .selectFrom('endpoint')
        .select(sql<number>`count(*)`.as('count'))
        .where('api_id', '=', id)
        .executeTakeFirstOrThrow()
      return count
    },
    /** The next call that looks for a free context waits until this transaction has ended. */
    lockContexts: () => allOf([hurry(db), lockUntilCommit(db, contextLock)]),
    insert: (api: NewRow<'api'>) =>
      db.insertInto('api').values(api).returningAll().executeTakeFirstOrThrow(),
    update: (id: number, version: number, change: RowChange<'api'>) =>
      updateIfUnchanged(db, 'api', id, version, change),
    /** The row as it is now; other transactions wait for the end of this one before they change it. */
    lock: (id: number) =>
      db
        .updateTable('api')
        .set((column) => ({ version: column.ref('version') }))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst(),
    /** No change of the definition: forms that are open can still be saved. */
    setPurges: (id: number, cache_purges: string) =>
      db.updateTable('api').set({ cache_purges }).where('id', '=', id).execute(),
    remove: (id: number) => db.deleteFrom('api').where('id', '=', id).execute(),
  }
}
