import { stringifyExact } from '@gatehouse/contract/mapping'
import { startTdsServer } from '@gatehouse/tds-test-server'
import type { TdsServerOptions, TdsProcedure } from '@gatehouse/tds-test-server'
import { onTestFinished } from 'vitest'
import type { AddressGuard } from '../address-guard.ts'
import type {
  ProcedureAnswer,
  ProcedureAnswered,
  ProcedureCall,
  ProcedureConnection,
  ProcedureFailed,
} from '../procedure/procedure-types.ts'
import { createProcedureUpstream } from '../procedure/procedure-upstream.ts'
import { openGuard } from './test-upstream.ts'

export interface TestSqlsrvOptions extends Partial<TdsServerOptions> {
  procedures?: TdsProcedure[]
  connection?: Partial<ProcedureConnection>
  guard?: AddressGuard
}

/** A server with these procedures, and the product's own way to call them; both end with the test. */
export async function startTestSqlsrv(options: TestSqlsrvOptions = {}) {
  const { procedures = [], connection: given = {}, guard = openGuard, ...rest } = options
  const server = await startTdsServer({ script: { procedures }, ...rest })
  const upstream = createProcedureUpstream({ guard })
  onTestFinished(async () => {
    await server.close()
    await upstream.close()
  })
  const connection: ProcedureConnection = {
    driver: 'sqlsrv',
    host: '127.0.0.1',
    port: server.port,
    database: 'erp',
    username: 'gatehouse',
    password: 'secret',
    tls: 'off',
    connectTimeoutMs: 20_000,
    ...given,
  }
  const api = { id: 'api', connection }
  return {
    server,
    upstream,
    api,
    connection,
    call: (call: Partial<ProcedureCall> & { name: string }) =>
      upstream.call(api, { values: {}, timeoutMs: 20_000, ...call }),
    list: () => upstream.testConnection(connection),
    describe: (name: string) => upstream.describe(api, name),
    sample: (call: Partial<ProcedureCall> & { name: string }) =>
      upstream.runSample(connection, { values: {}, timeoutMs: 20_000, ...call }),
  }
}

export function expectAnswered(answer: ProcedureAnswer): ProcedureAnswered {
  if (answer.ok) return answer
  throw new Error(`expected an answer, got ${answer.code}: ${answer.detail}`, {
    cause: answer.cause,
  })
}

export function expectFailed(answer: { ok: true } | ProcedureFailed): ProcedureFailed {
  if (!answer.ok) return answer
  throw new Error('expected a failure, got an answer')
}

/** The body as JSON text, digits and all. */
export function bodyText(answer: ProcedureAnswer): string {
  return stringifyExact(expectAnswered(answer).body)
}
