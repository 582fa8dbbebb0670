import { TYPES } from 'tedious'
import type { Request } from 'tedious'
import type { ConnectorOptions } from '../../connector.ts'
import { AnswerBuilder } from '../answer-builder.ts'
import { createConnectionPool } from '../connection-pool.ts'
import { parametersFailure } from '../match-values.ts'
import type {
  BackendCall,
  BackendResult,
  BoundParameter,
  ProcedureBackend,
} from '../procedure-backend.ts'
import { ProcedureFailure } from '../procedure-failure.ts'
import { poolSizeDefault } from '../procedure-types.ts'
import type { ProcedureConnection, ProcedureSignature } from '../procedure-types.ts'
import { bindValue } from './values/bind-value.ts'
import { collectAnswer } from './collect-answer.ts'
import { openSession } from './open-session.ts'
import { describeQuery, listQuery, toSignatures } from './sqlsrv-catalogue.ts'
import { failureOfCall, isTransactionMismatch } from './sqlsrv-errors.ts'
import { quoteProcedureName, readings } from './sqlsrv-names.ts'
import type { SqlsrvSession } from './sqlsrv-session.ts'

const resetTimeoutMs = 5_000
const catalogueBounds = { maxRows: 200_000, maxBytes: 64 * 1024 * 1024 }

export type SqlsrvDriver = Omit<ProcedureBackend, 'classify'>

/** Speaks TDS 7.4 through tedious. The pool is ours: it has to know which requests were cancelled. */
export function createSqlsrvDriver(
  connection: ProcedureConnection,
  options: Pick<ConnectorOptions, 'guard' | 'lookup'>,
): SqlsrvDriver {
  const connector = { ...options, connectTimeoutMs: connection.connectTimeoutMs }
  const pool = createConnectionPool<SqlsrvSession>({
    size: connection.poolSize ?? poolSizeDefault,
    open: (signal) => openSession(connection, connector, signal),
    check: async (session) => session.isOpen,
    destroy: (session) => session.close(),
  })

  /** Runs after the call was answered. The next call gets a reset session or a new one. */
  async function giveBack(session: SqlsrvSession): Promise<void> {
    await session.whenIdle()
    // An open transaction is ended by closing the connection, which is certain; a reset is not.
    const isReset = session.isOpen && !session.transaction && (await resets(session))
    if (isReset) pool.release(session)
    else pool.discard(session)
  }

  async function withSession<Result>(
    signal: AbortSignal,
    work: (session: SqlsrvSession) => Promise<Result>,
  ): Promise<Result> {
    const session = await pool.acquire(signal)
    try {
      return await work(session)
    } finally {
      void giveBack(session)
    }
  }

  function readCatalogue(
    sql: string,
    add: (request: Request) => void,
    signal: AbortSignal,
  ): Promise<ProcedureSignature[]> {
    return withSession(signal, async (session) => {
      const answer = new AnswerBuilder(catalogueBounds)
      await session.query(sql, add, collectAnswer(answer, { parameters: [] }), signal)
      return toSignatures(answer.body.recordsets[0] ?? [])
    })
  }

  return {
    list: ({ limit, signal }) =>
      readCatalogue(
        listQuery,
        (request) => request.addParameter('limit', TYPES.Int, limit),
        signal,
      ),
    async describe(written, signal) {
      for (const { schema, name } of readings(written)) {
        const add = (request: Request) => {
          request.addParameter('schema', TYPES.NVarChar, schema ?? null, { length: 128 })
          request.addParameter('name', TYPES.NVarChar, name, { length: 128 })
        }
        const [signature] = await readCatalogue(describeQuery, add, signal)
        if (signature) return signature
      }
      return undefined
    },
    async run(call) {
      const add = bindAll(call.parameters)
      return withSession(call.signal, (session) => callOver(session, call, add))
    },
    close: () => pool.close(),
  }
}

async function callOver(
  session: SqlsrvSession,
  call: BackendCall,
  add: (request: Request) => void,
): Promise<BackendResult> {
  if (call.isSample) return sampleOver(session, call, add)
  try {
    await sendCall(session, call, add)
  } catch (error) {
    throw failureOf(error, call)
  }
  if (session.transaction) throw leftOpen()
  return {}
}

/** If the procedure ended the transaction, there is nothing to roll back. */
async function sampleOver(
  session: SqlsrvSession,
  call: BackendCall,
  add: (request: Request) => void,
): Promise<BackendResult> {
  const { signal } = call
  await session.begin(signal)
  const ours = session.transaction
  try {
    await sendCall(session, call, add)
  } catch (error) {
    const isEnded = isTransactionMismatch(error) && session.transaction !== ours
    if (!isEnded) throw failureOf(error, call)
  }
  // The procedure may have begun another transaction.
  const isRolledBack = ours !== undefined && session.transaction === ours
  if (session.transaction) await session.rollBack(signal)
  return { isRolledBack }
}

/** No later call would commit it. SQL Server reports the same as error 266. */
function leftOpen() {
  const detail = 'The procedure left a transaction open, which was rolled back.'
  return new ProcedureFailure('procedure.failed', { isSent: true, detail })
}

function sendCall(session: SqlsrvSession, call: BackendCall, add: (request: Request) => void) {
  const { signature, answer, signal } = call
  const events = collectAnswer(answer, signature)
  call.markSent()
  return session.callProcedure(quoteProcedureName(signature), add, events, signal)
}

function failureOf(error: unknown, { signature, answer }: BackendCall): ProcedureFailure {
  if (error instanceof ProcedureFailure) return error
  const hasAnswered = answer.columns.length > 0 || answer.body.rowsAffected.length > 0
  return failureOfCall(error, signature, hasAnswered)
}

async function resets(session: SqlsrvSession): Promise<boolean> {
  try {
    await session.reset(AbortSignal.timeout(resetTimeoutMs))
    return session.isOpen
  } catch {
    return false
  }
}

/** Throws `procedure.parameters` that names all values that do not fit, before anything is sent. */
function bindAll(parameters: readonly BoundParameter[]): (request: Request) => void {
  const problems: Record<string, string[]> = {}
  const adding = parameters.flatMap(({ parameter, value }) => {
    const isOutput = parameter.direction !== 'in'
    // The server knows whether there is a default. An output is always sent.
    if (value === undefined && !isOutput) return []
    const bound = bindValue(parameter, value ?? null)
    if (!bound.ok) {
      problems[parameter.name] = [bound.problem]
      return []
    }
    const { type, value: wire, length } = bound.wire
    const bounds = { output: isOutput, ...(length === undefined ? {} : { length }) }
    return [(request: Request) => request.addParameter(parameter.name, type, wire, bounds)]
  })
  if (Object.keys(problems).length > 0) throw parametersFailure(problems)
  return (request) => {
    for (const add of adding) add(request)
  }
}
