import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { isPostgres } from '../../db/dialect.ts'
import type { Clause } from './word-query.ts'

export interface IndexedRun {
  runId: number
  words: readonly string[]
  /** The states of the run and of its documents, which filters ask for. */
  states: readonly string[]
}

interface WordSearch {
  clauses: readonly Clause[]
  /** Only runs that have, or whose documents have, this state. */
  state?: string | undefined
  /** The ids of the oldest and of the newest run that count. */
  from: number
  to: number
  limit: number
  /** After that time no further runs are looked at. */
  budgetMs: number
}

export interface WordHits {
  /** Newest first. */
  ids: number[]
  /** Runs below this id were not looked at; undefined: all were. */
  stoppedAt: number | undefined
}

// Letters of our own, which no text has: they keep what we add apart from words.
const stateMark = '\u{e002}'
const blockMark = '\u{e003}'
const largeBlockMark = '\u{e004}'
/** 16,384 runs. */
const blockBits = 14
/** 131,072 runs. */
const largeBlockBits = 17

const stateWord = (state: string): string => stateMark + state.replaceAll('_', '')

/** The words of runs: FTS5 on SQLite, GIN over tsvector on PostgreSQL. */
export function textIndexStore(db: Db) {
  return {
    /** Replaces what the index knows of these runs. In the order of their ids it is fastest. */
    put: async (runs: readonly IndexedRun[]): Promise<void> => {
      if (runs.length === 0) return
      await (isPostgres(db) ? putPostgres(db, runs) : putSqlite(db, runs))
    },
    remove: async (runIds: readonly number[]): Promise<void> => {
      const column = sql.ref(isPostgres(db) ? 'run_id' : 'rowid')
      if (runIds.length > 0)
        await sql`delete from text_search where ${column} in (${sql.join(runIds)})`.execute(db)
    },
    /**
     * The newest runs that have a word of each clause. It looks at a few of the newest runs first and at
     * twice as many in each further step, or at as many as seem to hold what is left to find, so that a word that
     * is everywhere costs no more than a rare one, and that it can stop in between.
     */
    find: async (search: WordSearch): Promise<WordHits> => {
      const began = performance.now()
      let before = 0
      let newest = search.to
      const ids: number[] = []
      for (let step = 0; newest >= search.from && ids.length < search.limit; step++) {
        const took = performance.now() - began
        // The next look takes about twice as long as the last one.
        const expected = took + 2 * (took - before)
        if (expected > search.budgetMs) return { ids, stoppedAt: newest + 1 }
        before = took
        const blocks = Math.min(2 ** step, blocksFor(ids.length, newest, search))
        const window = windowBelow(newest, search, blocks)
        ids.push(...(await findIn(db, search, window, search.limit - ids.length)))
        newest = window.from - 1
      }
      return { ids, stoppedAt: undefined }
    },
  }
}

interface Window {
  from: number
  to: number
}

/** So many whole blocks, counted from the one that holds the newest. */
function windowBelow(newest: number, { from }: WordSearch, blocks: number): Window {
  const first = (newest >> blockBits) - (blocks - 1)
  return { from: Math.max(from, first * 2 ** blockBits), to: newest }
}

/** In how many blocks the rest is, if hits are as frequent there as above `newest`; a fourth is added. */
function blocksFor(found: number, newest: number, { to, limit }: WordSearch): number {
  const runs = ((to - newest) * (limit - found) * 1.25) / found
  return found === 0 ? Infinity : Math.ceil(runs / 2 ** blockBits)
}

async function findIn(
  db: Db,
  search: WordSearch,
  window: Window,
  limit: number,
): Promise<number[]> {
  const { rows } = await (isPostgres(db) ? queryPostgres : querySqlite)(
    search,
    window,
    limit,
  ).execute(db)
  return rows.map(({ id }) => id)
}

function querySqlite(search: WordSearch, window: Window, limit: number) {
  const syntax = { quote: (word: string) => `"${word}"`, and: ' AND ', or: ' OR ' }
  const query = join(clausesIn(search, window), syntax)
  return sql<{ id: number }>`select rowid as id from text_search
    where text_search match ${query} and rowid between ${window.from} and ${window.to}
    order by rowid desc limit ${limit}`
}

/** Adding 0 keeps PostgreSQL from reading one run after the other. */
function queryPostgres(search: WordSearch, window: Window, limit: number) {
  const syntax = { quote: (word: string) => `'${word}'`, and: ' & ', or: ' | ' }
  const query = join(clausesIn(search, window), syntax)
  return sql<{ id: number }>`select run_id as id from text_search
    where words @@ ${query}::tsquery and run_id + 0 between ${window.from} and ${window.to}
    order by run_id + 0 desc limit ${limit}`
}

/**
 * The blocks of the window are a clause too. By ids alone neither database would end at the oldest run:
 * FTS5 would read on, and GIN has no ids.
 */
const clausesIn = ({ clauses, state }: WordSearch, window: Window): Clause[] => [
  ...clauses,
  ...(state === undefined ? [] : [[[stateWord(state)]]]),
  [...blocksOf(window)].map((word) => [word]),
]

/** Words that the runs of a window have; few, however long it is. */
function* blocksOf({ from, to }: Window): Generator<string> {
  const isLarge = to - from > 2 ** largeBlockBits * 4
  const [mark, bits] = isLarge ? [largeBlockMark, largeBlockBits] : [blockMark, blockBits]
  for (let block = from >> bits; block <= to >> bits; block++) yield `${mark}${block}`
}

interface Syntax {
  quote: (word: string) => string
  and: string
  or: string
}

/** Words are letters and digits alone, so that quotes around them keep any question from being a command. */
function join(clauses: readonly Clause[], { quote, and, or }: Syntax): string {
  const together = (words: readonly string[]) => `(${words.map(quote).join(and)})`
  return clauses.map((clause) => `(${clause.map(together).join(or)})`).join(and)
}

/** The words, what filters ask for, and the blocks in which the run is. */
const wordsOf = ({ runId, words, states }: IndexedRun): string[] => [
  ...words,
  ...states.map(stateWord),
  `${blockMark}${runId >> blockBits}`,
  `${largeBlockMark}${runId >> largeBlockBits}`,
]

async function putSqlite(db: Db, runs: readonly IndexedRun[]): Promise<void> {
  const ids = JSON.stringify(runs.map(({ runId }) => runId))
  await sql`delete from text_search where rowid in (select value from json_each(${ids}))`.execute(
    db,
  )
  const rows = runs.map((run) => [run.runId, wordsOf(run).join(' ')])
  await sql`insert into text_search (rowid, words)
    select value ->> 0, value ->> 1 from json_each(${JSON.stringify(rows)})`.execute(db)
}

async function putPostgres(db: Db, runs: readonly IndexedRun[]): Promise<void> {
  const rows = runs.map((run) => [run.runId, wordsOf(run)])
  await sql`insert into text_search (run_id, words)
    select (each ->> 0)::int, array_to_tsvector(array(select jsonb_array_elements_text(each -> 1)))
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as given (each)
    on conflict (run_id) do update set words = excluded.words`.execute(db)
}
