import type { TdsParameter, TdsRequest } from './tds-requests.ts'
import { nameParts } from './tds-requests.ts'
import type { TdsColumn, TdsMessageText } from './tds-tokens.ts'
import type { TdsValue } from './tds-value.ts'

/** One step of an answer. Steps run in order. */
export type TdsStep =
  | { recordset: { columns: TdsColumn[]; rows: Iterable<TdsValue[]>; isCompressed?: boolean } }
  | { rowsAffected: number | bigint }
  | { error: TdsMessageText }
  | { info: TdsMessageText }
  | { output: Record<string, TdsValue> }
  | { returnValue: number }
  /** Waits: until the client cancels, until the promise resolves, or for ever, whatever it does. */
  | { wait: 'attention' | 'forever' | Promise<unknown> }
  /** The procedure begins a transaction and leaves it open. */
  | { begin: true }
  /** Ends the transaction the client began. */
  | { commit: true }
  | { cut: true }
  /** Bytes in the token stream, as they are. */
  | { raw: Buffer }
  /** Bytes on the connection, outside of any packet of ours. */
  | { rawPacket: Buffer }

interface TdsProcedureCall {
  procedure: string
  parameters: readonly TdsParameter[]
  value: (name: string) => TdsValue | undefined
}

export interface TdsProcedure {
  /** `dbo` unless given. */
  schema?: string
  name: string
  /** `@name`, `type`, as the catalogue knows them; `hasDefault`: known to the server alone. */
  parameters?: { name: string; type: string; isOutput?: boolean; hasDefault?: boolean }[]
  run?: (call: TdsProcedureCall) => Iterable<TdsStep>
}

export interface TdsScript {
  procedures?: TdsProcedure[]
  /** Answers to batches by their exact text. */
  batches?: Record<string, TdsStep[]>
  /** Asked first for every request; undefined leaves it to the rest. */
  intercept?(request: TdsRequest): Iterable<TdsStep> | undefined
}

/** The procedure a call names, found as SQL Server finds it: in `dbo` unless a schema is named. */
export function findProcedure(script: TdsScript, called: string): TdsProcedure | undefined {
  const parts = nameParts(called)
  if (!parts || parts.length > 2) return undefined
  const [schema, name] = parts.length === 2 ? parts : ['dbo', parts[0]]
  return script.procedures?.find((each) => (each.schema ?? 'dbo') === schema && each.name === name)
}

/** Refuses as SQL Server does before a procedure runs, or runs it. */
export function runProcedure(
  script: TdsScript,
  called: string,
  parameters: readonly TdsParameter[],
): Iterable<TdsStep> {
  const procedure = findProcedure(script, called)
  if (!procedure) return [refusal(2812, `Could not find stored procedure '${called}'.`)]
  const declared = procedure.parameters ?? []
  if (parameters.length > declared.length) {
    return [
      refusal(8144, `Procedure or function ${procedure.name} has too many arguments specified.`),
    ]
  }
  const strange = parameters.find(({ name }) => !declared.some((each) => each.name === name))
  if (strange) {
    return [refusal(8145, `${strange.name} is not a parameter for procedure ${procedure.name}.`)]
  }
  const missing = declared.find(
    ({ name, hasDefault }) => !hasDefault && !parameters.some((each) => each.name === name),
  )
  if (missing) {
    const text = `Procedure or function '${procedure.name}' expects parameter '${missing.name}', which was not supplied.`
    return [refusal(201, text)]
  }
  const value = (name: string) => parameters.find((each) => each.name === name)?.value
  return procedure.run?.({ procedure: called, parameters, value }) ?? []
}

const refusal = (number: number, message: string): TdsStep => ({ error: { number, message } })
