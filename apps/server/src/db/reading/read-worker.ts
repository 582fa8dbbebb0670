import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'
import { answerQuestions } from '../../kernel/threads/answer-questions.ts'

// The thread that makes long reads of a SQLite file: its connection can't write, and in WAL mode it
// neither waits for writers nor holds them up.

export interface ReadQuestion {
  sql: string
  parameters: readonly unknown[]
}

/** How many prepared statements are kept. */
const statementsKept = 100

const database = new DatabaseSync(String(workerData), { readOnly: true })
database.exec('pragma busy_timeout = 5000; pragma trusted_schema = off; pragma cache_size = -16000')
const statements = new Map<string, StatementSync>()

function prepare(sql: string): StatementSync {
  const known = statements.get(sql)
  if (known) return known
  const statement = database.prepare(sql)
  if (statements.size >= statementsKept) statements.delete(statements.keys().next().value ?? '')
  statements.set(sql, statement)
  return statement
}

/** What it says of an error that SQLite throws: between threads an error keeps its cause, and no code. */
export interface ReadFailure {
  code: string | undefined
  errcode: number | undefined
}

answerQuestions(({ sql, parameters }: ReadQuestion) => {
  try {
    return prepare(sql).all(...(parameters as SQLInputValue[]))
  } catch (error) {
    const { code, errcode } = error as ReadFailure
    throw Object.assign(error as Error, { cause: { code, errcode } satisfies ReadFailure })
  }
})
