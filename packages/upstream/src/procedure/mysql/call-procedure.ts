import type { ExactJson } from '@gatehouse/contract/mapping'
import type { AnswerBuilder } from '../answer-builder.ts'
import type { BackendCall, BackendResult } from '../procedure-backend.ts'
import { ProcedureFailure } from '../procedure-failure.ts'
import type { ProcedureSignature } from '../procedure-types.ts'
import type { AnswerSink, BoundValue } from './answer-sink.ts'
import type { ColumnReader } from './mysql-columns.ts'
import { quoteName } from './mysql-names.ts'
import { toOutput } from './mysql-outputs.ts'
import type { MysqlSession } from './mysql-session.ts'
import type { RecordsetShape } from './recordset-shape.ts'
import { serverStatus } from './server-status.ts'

/**
 * Calls a procedure on one session:
 *
 *     SET @p2 = ?;                     values of INOUT parameters
 *     CALL `schema`.`name`(?, @p2)     IN as bound values, OUT and INOUT as variables
 *     SELECT @p2                       values of OUT and INOUT parameters
 *
 * A sample runs between START TRANSACTION and ROLLBACK. `values` are in the order of the parameters.
 * `isDirty`: the call has changed the session.
 */
export async function callProcedure(
  session: MysqlSession,
  call: BackendCall,
  values: readonly BoundValue[],
  onSend: () => void,
): Promise<{ result: BackendResult; isDirty: boolean }> {
  const { deadline, answer, isSample, timeoutMs } = call
  const statements = statementsOf(call.signature)
  if (!session.isPreparedFor(timeoutMs)) await session.prepareFor(timeoutMs, deadline)
  if (isSample) await session.command('START TRANSACTION', deadline)
  if (statements.set) {
    await session.read(statements.set, pick(values, statements.inouts), deadline)
  }
  const bound = statements.isAllIn ? values : pick(values, statements.ins)
  const header = await session.execute(
    statements.call,
    bound,
    new AnswerFeed(answer),
    deadline,
    onSend,
  )
  if (statements.read) await readVariables(session, call, statements)
  answer.addRowsAffected(header.affectedRows)
  const isOpen = (header.serverStatus & serverStatus.inTransaction) !== 0
  if (isSample) {
    const { warningStatus } = await session.command('ROLLBACK', deadline)
    // The warning says that tables of an engine without transactions were changed.
    return { result: { isRolledBack: isOpen && warningStatus === 0 }, isDirty: true }
  }
  if (isOpen) throw leftOpen()
  return { result: {}, isDirty: (header.serverStatus & serverStatus.changed) !== 0 }
}

/** Passes rows to the answer as they are read. */
class AnswerFeed implements AnswerSink {
  readonly #answer: AnswerBuilder

  constructor(answer: AnswerBuilder) {
    this.#answer = answer
  }

  onReceived(bytes: number): void {
    this.#answer.checkReceived(bytes)
  }

  onColumns({ columns, readers }: RecordsetShape): readonly ColumnReader[] {
    this.#answer.startRecordset(columns)
    return readers
  }

  onRow(values: readonly unknown[]): void {
    // These are the values that the readers above returned.
    this.#answer.addRow(values as readonly ExactJson[])
  }
}

interface Statements {
  call: string
  set?: string
  read?: string
  /** Indexes of parameters. */
  ins: number[]
  inouts: number[]
  outputs: number[]
  isAllIn: boolean
}

/** Built once for each signature. A signature does not change after it was read. */
const known = new WeakMap<ProcedureSignature, Statements>()

function statementsOf(signature: ProcedureSignature): Statements {
  const found = known.get(signature)
  if (found) return found
  const made = statementsFor(signature)
  known.set(signature, made)
  return made
}

/** Procedure names come from the catalogue and variable names from this file. All values are bound. */
function statementsFor({ schema, name, parameters }: ProcedureSignature): Statements {
  const list = parameters.map(({ direction }, index) =>
    direction === 'in' ? '?' : variable(index),
  )
  const places = [...parameters.keys()]
  const ins = places.filter((place) => parameters[place]?.direction === 'in')
  const inouts = places.filter((place) => parameters[place]?.direction === 'inout')
  const outputs = places.filter((place) => parameters[place]?.direction !== 'in')
  return {
    call: `CALL ${quoteName(schema)}.${quoteName(name)}(${list.join(', ')})`,
    ...(inouts.length > 0 && {
      set: `SET ${inouts.map((place) => `${variable(place)} = ?`).join(', ')}`,
    }),
    ...(outputs.length > 0 && { read: `SELECT ${outputs.map(variable).join(', ')}` }),
    ins,
    inouts,
    outputs,
    isAllIn: ins.length === parameters.length,
  }
}

const variable = (index: number) => `@gatehouse_${index}`

const pick = (values: readonly BoundValue[], places: readonly number[]) =>
  places.map((place) => values[place] ?? null)

async function readVariables(
  session: MysqlSession,
  { answer, deadline, signature }: BackendCall,
  { read = '', outputs }: Statements,
) {
  const texts = await session.readTexts(read, (bytes) => answer.checkReceived(bytes), deadline)
  for (const [index, place] of outputs.entries()) {
    const parameter = signature.parameters[place]
    if (parameter) answer.setOutput(parameter.name, toOutput(parameter, texts[index] ?? null))
  }
}

function leftOpen() {
  const message = 'The stored procedure left a transaction open. It was rolled back.'
  return new ProcedureFailure('procedure.failed', { isSent: true, message })
}
