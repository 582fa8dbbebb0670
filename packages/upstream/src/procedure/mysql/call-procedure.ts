import type { BackendCall, BackendResult } from '../procedure-backend.ts'
import { ProcedureFailure } from '../procedure-failure.ts'
import type { ColumnReader } from './mysql-columns.ts'
import { quoteName } from './mysql-names.ts'
import { toOutput } from './mysql-outputs.ts'
import { isShapeOf, shapeOf, shapesKept } from './recordset-shape.ts'
import type { RecordsetShape } from './recordset-shape.ts'
import { serverStatus } from './mysql-session.ts'
import type { AnswerSink, BoundValue } from './answer-sink.ts'
import type { MysqlSession } from './mysql-session.ts'

/**
 * Calls a procedure on one session:
 *
 *     SET @p2 = ?;                     values of INOUT parameters
 *     CALL `schema`.`name`(?, @p2)     IN as bound values, OUT and INOUT as variables
 *     SELECT @p2                       what became of them
 *
 * A sample stands between START TRANSACTION and ROLLBACK. The values belong to the parameters one
 * by one. `isDirty`: something of the call stays behind in the session.
 */
export async function callProcedure(
  session: MysqlSession,
  call: BackendCall,
  values: readonly BoundValue[],
): Promise<{ result: BackendResult; isDirty: boolean }> {
  const { signal, answer, isSample } = call
  await session.prepareFor(call.timeoutMs, signal)
  if (isSample) await session.command('START TRANSACTION', signal)
  await setVariables(session, call, values)
  const text = callText(call)
  const bound = values.filter((_, index) => call.parameters[index]?.parameter.direction === 'in')
  const sink = sinkFor(call, session.shapesOf(text))
  const header = await session.execute(text, bound, sink, signal, call.markSent)
  await readVariables(session, call)
  answer.addRowsAffected(header.affectedRows)
  const isOpen = (header.serverStatus & serverStatus.inTransaction) !== 0
  if (isSample) {
    const { warningStatus } = await session.command('ROLLBACK', signal)
    // A warning: tables of an engine without transactions were changed, too.
    return { result: { isRolledBack: isOpen && warningStatus === 0 }, isDirty: true }
  }
  if (isOpen) throw leftOpen()
  return { result: {}, isDirty: (header.serverStatus & serverStatus.changed) !== 0 }
}

/** The names come from the catalogue, the variables' from us, and all else is bound. */
function callText({ signature, parameters }: BackendCall): string {
  const list = parameters.map(({ parameter }, index) =>
    parameter.direction === 'in' ? '?' : variable(index),
  )
  return `CALL ${quoteName(signature.schema)}.${quoteName(signature.name)}(${list.join(', ')})`
}

const variable = (index: number) => `@gatehouse_${index}`

async function setVariables(
  session: MysqlSession,
  { parameters, signal }: BackendCall,
  values: readonly BoundValue[],
) {
  const set: string[] = []
  const bound: BoundValue[] = []
  for (const [index, { parameter }] of parameters.entries()) {
    if (parameter.direction !== 'inout') continue
    set.push(`${variable(index)} = ?`)
    bound.push(values[index] ?? null)
  }
  if (set.length > 0) await session.read(`SET ${set.join(', ')}`, bound, signal)
}

async function readVariables(session: MysqlSession, { parameters, answer, signal }: BackendCall) {
  const outputs = [...parameters.entries()].filter(
    ([, { parameter }]) => parameter.direction !== 'in',
  )
  if (outputs.length === 0) return
  const names = outputs.map(([index]) => variable(index))
  const check = (bytes: number) => answer.checkReceived(bytes)
  const texts = await session.readTexts(`SELECT ${names.join(', ')}`, check, signal)
  for (const [place, [, { parameter }]] of outputs.entries()) {
    answer.setOutput(parameter.name, toOutput(parameter, texts[place] ?? null))
  }
}

function sinkFor({ answer }: BackendCall, shapes: RecordsetShape[]): AnswerSink {
  let readers: readonly ColumnReader[] = []
  let place = 0
  return {
    onReceived(bytes) {
      answer.checkReceived(bytes)
    },
    onColumns(fields) {
      const known = shapes[place]
      const shape = known && isShapeOf(known, fields) ? known : shapeOf(fields)
      if (place < shapesKept) shapes[place++] = shape
      readers = shape.readers
      answer.startRecordset(shape.columns)
    },
    onRow(values) {
      answer.addRow(readers.map((read, index) => read(values[index])))
    },
  }
}

function leftOpen() {
  const message = 'The stored procedure left a transaction open. It was rolled back.'
  return new ProcedureFailure('procedure.failed', { isSent: true, message })
}
