import { JsonProblem, parseExact } from '@gatehouse/contract/mapping'
import type { ExactJson } from '@gatehouse/contract/mapping'
import type { AnswerBuilder } from '../answer-builder.ts'
import type { ProcedureSignature } from '../procedure-types.ts'
import { presentValue, typeNameOf } from './values/present-value.ts'
import type { RequestEvents } from './sqlsrv-session.ts'

/** Passes what arrives to an answer. Every output has its key, even if the server sends no value. */
export function collectAnswer(
  answer: AnswerBuilder,
  { parameters }: Pick<ProcedureSignature, 'parameters'>,
): RequestEvents {
  const outputs = new Map(
    parameters.filter(({ direction }) => direction !== 'in').map(({ name, type }) => [name, type]),
  )
  for (const name of outputs.keys()) answer.setOutput(name, null)
  let isInRecordset = false

  return {
    onColumns(columns) {
      isInRecordset = true
      answer.startRecordset(
        columns.map((column) => ({ name: column.colName, type: typeNameOf(column) })),
      )
    },
    onRow(values) {
      answer.addRow(values.map(({ value, metadata }) => presentValue(value, metadata)))
    },
    onOutput(name, value, metadata) {
      const type = outputs.get(name)
      if (type === undefined) return
      const shown = presentValue(value, metadata)
      answer.setOutput(name, type === 'json' ? parsed(shown) : shown)
    },
    onStatement(rowCount) {
      // A SELECT counts its rows, which are in the record set.
      if (!isInRecordset && rowCount !== undefined) answer.addRowsAffected(rowCount)
      isInRecordset = false
    },
    onReturnValue: (value) => answer.setReturnValue(presentValue(value, returnValueType)),
    onReceived: (bytes) => answer.checkReceived(bytes),
  }
}

const returnValueType = { type: { name: 'Int' } }

function parsed(value: ExactJson): ExactJson {
  if (typeof value !== 'string') return value
  try {
    return parseExact(value)
  } catch (error) {
    // The database checks the type. Text that is not JSON is passed on unchanged.
    if (error instanceof JsonProblem) return value
    throw error
  }
}
