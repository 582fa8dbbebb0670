import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { inParts } from '../../kernel/in-parts.ts'
import { isPostgres } from '../../db/dialect.ts'
import { textMaxLength } from './words/index-words.ts'

export type SearchStore = ReturnType<typeof searchStore>

/** So many words that begin alike are looked for. */
const completedMax = 40
/** Parameters of a statement are limited. */
const rowsAtOnce = 400

/** What the keeper of the words reads and writes beside the index. */
export function searchStore(db: Db) {
  return {
    /**
     * Has the words of these runs read again, within the transaction of the change: what their texts no longer
     * hold is no longer found a few seconds after the commit. What a run is called stays.
     */
    forget: async (runIds: readonly number[]): Promise<void> => {
      for (const some of inParts(runIds, rowsAtOnce))
        await db
          .insertInto('search_todo')
          .values(some.map((run_id) => ({ run_id })))
          .execute()
    },
    listTodo: (limit: number) =>
      db.selectFrom('search_todo').selectAll().orderBy('id').limit(limit).execute(),
    removeTodo: (ids: readonly number[]) =>
      db.deleteFrom('search_todo').where('id', 'in', ids).execute(),
    /** Both 0 where there is nothing left of before. */
    progress: async () =>
      (await db.selectFrom('search_progress').selectAll().executeTakeFirst()) ?? {
        below: 0,
        first_below: 0,
      },
    setProgress: (below: number) => db.updateTable('search_progress').set({ below }).execute(),
    /** The newest runs below an id, oldest first. */
    listBelow: async (below: number, limit: number): Promise<number[]> => {
      const rows = await db
        .selectFrom('run')
        .select('id')
        .where('id', '<', below)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id).toReversed()
    },
    addWords: async (words: readonly string[]): Promise<void> => {
      if (words.length === 0) return
      const each = isPostgres(db)
        ? sql`select jsonb_array_elements_text(${JSON.stringify(words)}::jsonb)`
        : sql`select value from json_each(${JSON.stringify(words)}) where true`
      await sql`insert into search_word (word) ${each} on conflict do nothing`.execute(db)
    },
    listWordsFrom: async (beginning: string): Promise<string[]> => {
      const rows = await db
        .selectFrom('search_word')
        .select('word')
        .where('word', '>=', beginning)
        .where('word', '<', `${beginning}\u{10ffff}`)
        .orderBy('word')
        .limit(completedMax)
        .execute()
      return rows.map(({ word }) => word)
    },
    ...runTexts(db),
  }
}

/** What runs say: their inputs and the bodies of their requests, each up to the length that is searched. */
function runTexts(db: Db) {
  const start = (column: string) =>
    sql<string | null>`substr(${sql.ref(column)}, 1, ${textMaxLength})`
  return {
    listRuns: (ids: readonly number[]) =>
      db
        .selectFrom('run')
        .leftJoin('workflow', 'workflow.id', 'run.workflow_id')
        .select(['run.id', 'run.state', 'run.reference', 'run.search_text', 'run.client_key'])
        .select(['workflow.name as workflow_name'])
        .where('run.id', 'in', ids)
        .orderBy('run.id')
        .execute(),
    listInputs: (ids: readonly number[]) =>
      db
        .selectFrom('run_input')
        .select(['run_id', start('body').as('body')])
        .where('run_id', 'in', ids)
        .execute(),
    listBodies: (ids: readonly number[]) =>
      db
        .selectFrom('run_step')
        .select('run_id')
        .select(
          sql<string | null>`substr(coalesce(body, source_body), 1, ${textMaxLength})`.as('body'),
        )
        .where('run_id', 'in', ids)
        .orderBy('run_id')
        .orderBy('position')
        .execute(),
    listDocumentsOf: (ids: readonly number[]) =>
      db
        .selectFrom('document_step')
        .innerJoin('document', 'document.id', 'document_step.document_id')
        .select(['document_step.run_id', 'document.state', 'document.reference'])
        .select(['document.authority_reference', 'document.original_reference'])
        .where('document_step.run_id', 'in', ids)
        .execute(),
  }
}
