import { isLosslessNumber } from '@gatehouse/contract/mapping'
import type { ExactJson, ExactObject } from '@gatehouse/contract/mapping'
import type { ProcedureParameter, ProcedureSignature } from '../procedure-types.ts'

/*
 * sys.parameters marks an OUTPUT parameter of T-SQL as is_output. It takes a value too, so all of
 * them are `inout`. Whether a parameter has a default is not in the catalogue for procedures in
 * T-SQL (has_default_value is about CLR), so the server refuses missing parameters.
 * Types are those of the system, also where a database has given them names of its own.
 * Texts that are not Unicode (text, varchar, char) are in the code page of the database.
 */
const columns = `
  listed.schema_name AS [schema],
  listed.procedure_name AS [procedure],
  pa.name AS [parameter],
  CASE WHEN ty.is_table_type = 1 THEN N'table type' ELSE COALESCE(TYPE_NAME(pa.system_type_id), ty.name) END AS [type],
  pa.max_length AS [max_length],
  pa.precision AS [precision],
  pa.scale AS [scale],
  pa.is_output AS [is_output],
  CASE WHEN pa.system_type_id IN (35, 167, 175) THEN CONVERT(int, COLLATIONPROPERTY(
    CONVERT(nvarchar(128), DATABASEPROPERTYEX(DB_NAME(), N'Collation')), N'CodePage')) END AS [code_page]`

const parameters = `
LEFT JOIN sys.parameters AS pa ON pa.object_id = listed.object_id AND pa.parameter_id > 0
LEFT JOIN sys.types AS ty ON ty.user_type_id = pa.user_type_id
ORDER BY listed.is_own DESC, listed.schema_name, listed.procedure_name, pa.parameter_id`

/** Takes `@limit`. Those of the user's own schema come first. */
export const listQuery = `
WITH listed AS (
  SELECT TOP (@limit) p.object_id, s.name AS schema_name, p.name AS procedure_name,
    CASE WHEN s.name = SCHEMA_NAME() THEN 1 ELSE 0 END AS is_own
  FROM sys.procedures AS p JOIN sys.schemas AS s ON s.schema_id = p.schema_id
  WHERE p.is_ms_shipped = 0
  ORDER BY is_own DESC, s.name, p.name
)
SELECT ${columns}
FROM listed ${parameters}`

/** Takes `@schema`, which may be null, and `@name`. The procedure SQL Server would call comes first. */
export const describeQuery = `
WITH listed AS (
  SELECT p.object_id, s.name AS schema_name, p.name AS procedure_name,
    CASE WHEN s.name = SCHEMA_NAME() THEN 1 ELSE 0 END AS is_own
  FROM sys.procedures AS p JOIN sys.schemas AS s ON s.schema_id = p.schema_id
  WHERE p.name = @name
    AND (s.name = @schema OR (@schema IS NULL AND s.name IN (SCHEMA_NAME(), N'dbo')))
)
SELECT ${columns}
FROM listed ${parameters}`

/** One signature for each procedure, in the order of the rows. */
export function toSignatures(rows: readonly ExactObject[]): ProcedureSignature[] {
  const signatures: ProcedureSignature[] = []
  for (const row of rows) {
    const [schema, name] = [textOf(row['schema']), textOf(row['procedure'])]
    let last = signatures.at(-1)
    if (last?.schema !== schema || last.name !== name) {
      last = { schema, name, parameters: [], isReadOnly: false }
      signatures.push(last)
    }
    if (row['parameter'] !== null) last.parameters.push(toParameter(row))
  }
  return signatures
}

const characterTypes = new Set(['char', 'varchar', 'nchar', 'nvarchar', 'binary', 'varbinary'])
const scaledNumbers = new Set(['decimal', 'numeric'])
const scaledTimes = new Set(['time', 'datetime2', 'datetimeoffset'])

function toParameter(row: ExactObject): ProcedureParameter {
  const type = textOf(row['type']).toLowerCase()
  const lengthBytes = numberOf(row['max_length'])
  const width = type.startsWith('n') ? 2 : 1
  const hasLength = characterTypes.has(type) && lengthBytes !== null && lengthBytes >= 0
  const isScaled = scaledNumbers.has(type)
  const codePage = numberOf(row['code_page'])
  return {
    name: textOf(row['parameter']).replace(/^@/, ''),
    direction: row['is_output'] === true ? 'inout' : 'in',
    type,
    precision: isScaled ? numberOf(row['precision']) : null,
    scale: isScaled || scaledTimes.has(type) ? numberOf(row['scale']) : null,
    maxLength: hasLength ? lengthBytes / width : null,
    ...(codePage === null ? {} : { charset: `cp${codePage}` }),
    hasDefault: true,
  }
}

const textOf = (value: ExactJson | undefined) => (typeof value === 'string' ? value : '')

const numberOf = (value: ExactJson | undefined) =>
  isLosslessNumber(value) ? Number(value.value) : null
