import type { ToolCount } from '@gatehouse/contract'
import type { Db } from '../../db/connect.ts'
import { bucketColumns, type Row } from '../../db/tables.ts'
import { addedUp, bucketsToColumns, summed } from './bucket-rows.ts'

const sumColumns = ['calls', 'refused', 'failed', 'waiting', ...bucketColumns] as const

interface WhichCalls {
  /** Like 2026-11-27. */
  since: string
  /** The tools that the endpoints of this API have now. */
  apiId?: number | undefined
  tokenId?: number | undefined
  /** Of tokens that are of these users, or were made by them; undefined: of all. */
  owners?: readonly number[] | undefined
  limit: number
}

/** What personal tokens did with tools, by day in UTC. */
export function toolUsageStore(db: Db) {
  return {
    /** Adds to what is there. Rows in order of their keys, so that servers that write at once do not deadlock. */
    add: async (counts: readonly ToolCount[]) => {
      // One may have been deleted with its user.
      const known = await db
        .selectFrom('personal_token')
        .select('id')
        .where('id', 'in', [...counts.map(({ token_id }) => token_id), 0])
        .execute()
      const ids = new Set(known.map(({ id }) => id))
      const rows = counts.filter(({ token_id }) => ids.has(token_id)).map(toRow)
      for (const row of rows.toSorted(byKey))
        await db
          .insertInto('tool_usage')
          .values(row)
          .onConflict((conflict) =>
            conflict
              .columns(['token_id', 'day', 'tool'])
              .doUpdateSet(addedUp('tool_usage', sumColumns)),
          )
          .execute()
    },
    /** Those with the most calls first. */
    list: ({ since, apiId, tokenId, owners, limit }: WhichCalls) =>
      db
        .selectFrom('tool_usage')
        .innerJoin('personal_token', 'personal_token.id', 'tool_usage.token_id')
        .innerJoin('user', 'user.id', 'personal_token.user_id')
        .where('tool_usage.day', '>=', since)
        .$if(tokenId !== undefined, (query) => query.where('tool_usage.token_id', '=', tokenId!))
        .$if(apiId !== undefined, (query) =>
          query.where('tool_usage.tool', 'in', (tools) =>
            tools
              .selectFrom('endpoint')
              .select('endpoint.tool_name')
              .where('endpoint.api_id', '=', apiId!)
              .where('endpoint.tool_name', 'is not', null)
              .$castTo<{ tool_name: string }>(),
          ),
        )
        .$if(owners !== undefined, (query) =>
          query.where((is) =>
            is.or([
              is('personal_token.user_id', 'in', [...owners!]),
              is('personal_token.created_by_id', 'in', [...owners!]),
            ]),
          ),
        )
        .select(['token_id', 'tool', 'personal_token.name as token_name', 'user.name as user_name'])
        .select(summed(sumColumns, 'tool_usage'))
        .groupBy(['token_id', 'tool', 'personal_token.name', 'user.name'])
        .orderBy('calls', 'desc')
        .orderBy('tool')
        .orderBy('token_id')
        .limit(limit)
        .execute(),
    removeBefore: async (day: string) => {
      await db.deleteFrom('tool_usage').where('day', '<', day).execute()
    },
  }
}

const toRow = ({ buckets, ...count }: ToolCount): Row<'tool_usage'> => ({
  ...count,
  ...bucketsToColumns(buckets),
})

const keyOf = ({ token_id, day, tool }: Row<'tool_usage'>) => `${token_id} ${day} ${tool}`
const byKey = (one: Row<'tool_usage'>, other: Row<'tool_usage'>) =>
  keyOf(one) < keyOf(other) ? -1 : 1
