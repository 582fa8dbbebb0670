import type { ProcedureParameter, ProcedureSignature } from '../procedure-types.ts'
import { readings } from './mysql-names.ts'
import type { MysqlSession } from './mysql-session.ts'

const columns = `r.ROUTINE_SCHEMA, r.ROUTINE_NAME, r.SQL_DATA_ACCESS, p.PARAMETER_NAME,
  p.PARAMETER_MODE, p.DTD_IDENTIFIER, p.CHARACTER_MAXIMUM_LENGTH, p.CHARACTER_SET_NAME,
  p.NUMERIC_PRECISION, p.NUMERIC_SCALE, p.DATETIME_PRECISION`

const parameters = `LEFT JOIN information_schema.PARAMETERS p ON p.SPECIFIC_SCHEMA = r.ROUTINE_SCHEMA
  AND p.SPECIFIC_NAME = r.SPECIFIC_NAME AND p.ROUTINE_TYPE = 'PROCEDURE'`

const describeSql = `SELECT ${columns} FROM information_schema.ROUTINES r ${parameters}
  WHERE r.ROUTINE_TYPE = 'PROCEDURE' AND r.ROUTINE_SCHEMA = ? AND r.ROUTINE_NAME = ?
  ORDER BY p.ORDINAL_POSITION`

const listSql = `SELECT ${columns} FROM (
    SELECT ROUTINE_SCHEMA, ROUTINE_NAME, SPECIFIC_NAME, SQL_DATA_ACCESS
    FROM information_schema.ROUTINES WHERE ROUTINE_TYPE = 'PROCEDURE' AND ROUTINE_SCHEMA
      NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema')
    ORDER BY ROUTINE_SCHEMA <> ?, ROUTINE_SCHEMA, ROUTINE_NAME LIMIT ?
  ) r ${parameters}
  ORDER BY r.ROUTINE_SCHEMA <> ?, r.ROUTINE_SCHEMA, r.ROUTINE_NAME, p.ORDINAL_POSITION`

/** The catalogue shows the procedures that the session's user may execute. */
export async function describeProcedure(
  session: MysqlSession,
  written: string,
  signal: AbortSignal,
): Promise<ProcedureSignature | undefined> {
  for (const { schema, name } of readings(written, session.database)) {
    const rows = await session.read(describeSql, [schema, name], signal)
    const [signature] = toSignatures(rows)
    if (signature) return signature
  }
  return undefined
}

export async function listProcedures(
  session: MysqlSession,
  limit: number,
  signal: AbortSignal,
): Promise<ProcedureSignature[]> {
  const values = [session.database, String(limit), session.database]
  return toSignatures(await session.read(listSql, values, signal))
}

function toSignatures(rows: readonly unknown[][]): ProcedureSignature[] {
  const signatures: ProcedureSignature[] = []
  for (const row of rows) {
    const [schema, name, access, parameterName] = row.map(textOf)
    if (schema === undefined || name === undefined) continue
    let last = signatures.at(-1)
    if (last?.schema !== schema || last.name !== name) {
      const isReadOnly = access === 'READS SQL DATA' || access === 'NO SQL'
      last = { schema, name, parameters: [], isReadOnly }
      signatures.push(last)
    }
    if (parameterName !== undefined) last.parameters.push(toParameter(row))
  }
  return signatures
}

/** Only `DTD_IDENTIFIER` has `tinyint(1)`, `unsigned` and the values of an enum. */
function toParameter(row: readonly unknown[]): ProcedureParameter {
  const [, , , name = '', mode = 'IN', type = ''] = row.map(textOf)
  const [length, , precision, scale, fraction] = row.slice(6).map(numberOf)
  const charset = textOf(row[7])
  const isTime = /^(?:datetime|timestamp|time)\b/i.test(type)
  return {
    name,
    direction: mode === 'OUT' ? 'out' : mode === 'INOUT' ? 'inout' : 'in',
    type: typeText(type),
    precision: precision ?? null,
    scale: isTime ? (fraction ?? 0) : (scale ?? null),
    maxLength: length ?? null,
    hasDefault: false,
    ...(charset === undefined ? {} : { charset }),
  }
}

/** In lower case, except the values of an enum or set. */
const typeText = (type: string) =>
  /^(?:enum|set)\(/i.test(type)
    ? type.replace(/^\w+/, (word) => word.toLowerCase())
    : type.toLowerCase()

/** MySQL 8 sends some catalogue texts as binary. */
function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  if (Buffer.isBuffer(value)) return value.toString()
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

function numberOf(value: unknown): number | undefined {
  const text = textOf(value)
  return text === undefined ? undefined : Number(text)
}
