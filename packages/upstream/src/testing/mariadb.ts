import { randomBytes } from 'node:crypto'
import { parseExact, stringifyExact } from '@gatehouse/contract/mapping'
import type { ExactJson } from '@gatehouse/contract/mapping'
import mysql from 'mysql2/promise'
import { afterAll, inject, onTestFinished } from 'vitest'
import type {
  ProcedureAnswer,
  ProcedureAnswered,
  ProcedureCall,
  ProcedureConnection,
  ProcedureFailed,
} from '../procedure/procedure-types.ts'
import { createProcedureUpstream } from '../procedure/procedure-upstream.ts'
import type { ProcedureUpstreamOptions } from '../procedure/procedure-upstream.ts'
import { openGuard } from './test-upstream.ts'

type Row = Record<string, unknown>

interface TestDatabase {
  name: string
  /** Of an account that may execute what is in this database, and nothing else. */
  connection: ProcedureConnection
  /** Runs one statement as an account that may do everything. */
  admin: (sql: string, values?: unknown[]) => Promise<Row[]>
}

/** A database with an account of its own for one test file, dropped after it. */
export async function createTestDatabase(statements: readonly string[]): Promise<TestDatabase> {
  const url = new URL(inject('testMysqlUrl'))
  const name = `test_${randomBytes(6).toString('hex')}`
  const password = randomBytes(12).toString('hex')
  const wire = await mysql.createConnection({ uri: url.href, charset: 'utf8mb4_unicode_ci' })
  const admin = async (sql: string, values: unknown[] = []) => {
    const [rows] = await wire.query(sql, values)
    return Array.isArray(rows) ? (rows as Row[]) : []
  }
  afterAll(async () => {
    await admin(`DROP DATABASE IF EXISTS ${name}`)
    await admin(`DROP USER IF EXISTS ${name}@'%'`)
    await wire.end()
  })
  await admin(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`)
  await admin(`CREATE USER ${name}@'%' IDENTIFIED BY '${password}'`)
  await admin(`GRANT EXECUTE ON ${name}.* TO ${name}@'%'`)
  await admin(`USE ${name}`)
  for (const statement of statements) await admin(statement)
  const connection = {
    driver: 'mysql',
    host: url.hostname,
    port: Number(url.port || 3306),
    database: name,
    username: name,
    password,
    tls: 'off',
    connectTimeoutMs: 20_000,
  } as const
  return { name, connection, admin }
}

/** Asks until the answer is not empty: the server does not notify when a statement begins or ends. */
export async function until(ask: () => Promise<Row[]>): Promise<Row[]> {
  for (;;) {
    const rows = await ask()
    if (rows.length > 0) return rows
  }
}

/** Calls procedures of one connection, as an API that is closed when the test is over. */
export function createTestProcedures(
  connection: ProcedureConnection,
  options: Partial<ProcedureUpstreamOptions> = {},
) {
  const upstream = createProcedureUpstream({ guard: openGuard, ...options })
  onTestFinished(() => upstream.close())
  const api = { id: 'api', connection }
  const call = (name: string, values: unknown = {}, rest: Partial<ProcedureCall> = {}) =>
    upstream.call(api, { name, values: toValues(values), timeoutMs: 20_000, ...rest })
  return {
    upstream,
    api,
    call,
    /** The body as JSON text, exactly as a caller gets it. */
    bodyOf: async (name: string, values: unknown = {}, rest: Partial<ProcedureCall> = {}) =>
      stringifyExact(answered(await call(name, values, rest)).body),
  }
}

/** Values written as JSON text keep their digits; anything else goes through JSON. */
function toValues(values: unknown): Record<string, ExactJson> {
  const text = typeof values === 'string' ? values : JSON.stringify(values)
  return parseExact(text) as Record<string, ExactJson>
}

export function answered(answer: ProcedureAnswer): ProcedureAnswered {
  if (answer.ok) return answer
  throw new Error(`expected an answer, got ${answer.code}: ${answer.detail}`, {
    cause: answer.cause,
  })
}

export function failed(answer: ProcedureAnswer): ProcedureFailed {
  if (!answer.ok) return answer
  throw new Error(`expected a failure, got ${stringifyExact(answer.body)}`)
}
