import type { TdsRequest } from './tds-requests.ts'
import type { TdsScript, TdsStep } from './tds-script.ts'
import { parseTdsType } from './tds-types.ts'
import type { TdsValue } from './tds-value.ts'

/**
 * Answers a query over `sys.procedures` and `sys.parameters` with the script's procedures. It is no
 * SQL engine: it returns the columns that the aliases name, and applies the parameters `@schema` and
 * `@name`. Its answer does not prove that the query is valid SQL.
 */
export function answerCatalogue(script: TdsScript, request: TdsRequest): TdsStep[] | undefined {
  if (request.kind !== 'rpc' || request.procedure !== 'sp_executesql') return undefined
  const statement = String(request.parameters[0]?.value)
  if (!statement.includes('sys.parameters')) return undefined
  const given = (name: string) => request.parameters.find((each) => each.name === name)?.value
  const aliases = [...statement.matchAll(/\bAS \[(\w+)\]/g)].map((match) => match[1] ?? '')
  const unknown = aliases.find((alias) => !(alias in columnTypes))
  if (unknown) return [{ error: { number: 207, message: `Invalid column name '${unknown}'.` } }]
  const [name, schema] = [given('@name'), given('@schema')]
  const rows = catalogueRows(script).filter(
    (row) =>
      name === undefined || (row['procedure'] === name && row['schema'] === (schema ?? 'dbo')),
  )
  return [
    {
      recordset: {
        columns: aliases.map((name) => ({ name, type: columnTypes[name] ?? '' })),
        rows: rows.map((row) => aliases.map((alias) => row[alias] ?? null)),
      },
    },
  ]
}

const columnTypes: Record<string, string> = {
  schema: 'nvarchar(128)',
  procedure: 'nvarchar(128)',
  parameter: 'nvarchar(128)',
  ordinal: 'int',
  type: 'nvarchar(128)',
  max_length: 'smallint',
  precision: 'tinyint',
  scale: 'tinyint',
  is_output: 'bit',
  code_page: 'int',
  is_own_schema: 'int',
}

/** As `sys.parameters` has it: lengths in bytes, -1 for max; a row of nulls without parameters. */
function catalogueRows({ procedures = [] }: TdsScript): Record<string, TdsValue>[] {
  return procedures.flatMap(({ schema = 'dbo', name, parameters = [] }) => {
    const own = { schema, procedure: name, is_own_schema: schema === 'dbo' ? 1 : 0 }
    if (parameters.length === 0) return [own]
    return parameters.map((parameter, index) => {
      const type = parseTdsType(parameter.type)
      return {
        ...own,
        parameter: parameter.name,
        ordinal: index + 1,
        type: type.name,
        max_length: type.length === 0xffff ? -1 : type.length,
        precision: type.precision,
        scale: type.scale,
        is_output: parameter.isOutput ?? false,
        code_page: ['char', 'varchar', 'text'].includes(type.name) ? 1252 : null,
      }
    })
  })
}
