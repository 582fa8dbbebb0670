import { compileOutput, type CompiledOutput } from '../endpoints/custom-output.ts'
import { looksLikeMappingRows, toMappingRows, type MappingRow } from '../mapping/mapping-rows.ts'
import { mappingRowProblems } from '../mapping/mapping-row-problems.ts'
import { mappingLimits } from '../mapping/mapping-limits.ts'
import { parseExact } from '../mapping/exact/exact-json.ts'
import { answerRoots, requestRoots, type TransformSide } from './read-rules.ts'

/** What a body is made with. */
export type TransformBody =
  | { kind: 'rows'; rows: MappingRow[] }
  | { kind: 'template'; output: Exclude<CompiledOutput, { kind: 'broken' }> }

type ReadBody =
  /** Null: the body stays as it is. */
  { ok: true; body: TransformBody | null } | { ok: false; problem: string }

/**
 * Reads what the body of a side is made with: mapping rows as a list of JSON, or a template; blank for neither.
 * Never throws.
 */
export function readBody(text: string, side: TransformSide): ReadBody {
  if (text.trim() === '') return { ok: true, body: null }
  const rows = rowsIn(text)
  if (rows !== undefined) return readRows(rows)
  const output = compileOutput(text)
  if (output.kind === 'broken') return { ok: false, problem: output.reason }
  const roots = side === 'request' ? requestRoots : answerRoots
  const strange =
    output.kind === 'template' && [...output.roots].find((root) => !roots.includes(root))
  return strange
    ? { ok: false, problem: `There is no ${strange} here: use ${roots.join(', ')}.` }
    : { ok: true, body: { kind: 'template', output } }
}

function rowsIn(text: string) {
  try {
    const value = parseExact(text)
    return looksLikeMappingRows(value) ? value : undefined
  } catch {
    return undefined
  }
}

function readRows(value: Parameters<typeof toMappingRows>[0]): ReadBody {
  const { rows, errors } = toMappingRows(value)
  if (rows.length > mappingLimits.rows)
    return { ok: false, problem: `There may be at most ${mappingLimits.rows} rows.` }
  const [first] = [
    ...errors,
    ...rows.flatMap((row, at) => mappingRowProblems(row).map((each) => ({ row: at, ...each }))),
  ]
  return first
    ? { ok: false, problem: `Row ${first.row + 1}: ${first.message}` }
    : { ok: true, body: { kind: 'rows', rows } }
}
