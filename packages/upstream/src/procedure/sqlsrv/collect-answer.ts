import { JsonProblem, parseExact } from '@gatehouse/contract/mapping'
import type { ExactJson } from '@gatehouse/contract/mapping'
import type { AnswerBuilder } from '../answer-builder.ts'
import type { ProcedureSignature } from '../procedure-types.ts'
import { presentValue, typeNameOf } from './present-value.ts'
import type { RequestEvents } from './sqlsrv-session.ts'

/** Feeds an answer with what arrives. Every output has its key, whatever the server sends. */
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
      // A SELECT counts the rows that it gave: they are there to be counted.
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
    // The database checks the type; what we do not take as JSON is handed on as it stands.
    if (error instanceof JsonProblem) return value
    throw error
  }
}
