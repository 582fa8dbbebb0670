import { bracesHint, opensPlaceholder, unescapeBraces } from './braces.ts'
import { convertInput, mappingTypes, parseType } from './convert-value.ts'
import type { ParseInner, RowType } from './convert-value.ts'
import type { ExactJson } from './exact/exact-json.ts'
import { listsIn, under, type Expression } from './functions/expression.ts'
import { parseFrom } from './functions/parse-expression.ts'
import type { MappingError, RootedRow } from './mapping-rows.ts'
import { parsePath } from './paths/parse-path.ts'
import { countAll } from './paths/path-segments.ts'
import type { PathSegment } from './paths/path-segments.ts'
import { shorten } from './show-value.ts'

export type Problem = Omit<MappingError, 'row'>

/** A row whose fields are all sound. */
export interface Plan {
  /** Undefined when From is blank; then there is an input. */
  from: Expression | undefined
  /** From as it was typed. */
  fromText: string
  to: readonly PathSegment[]
  type: RowType
  /** The custom input, converted; undefined when it is blank. */
  input: ExactJson | undefined
}

/**
 * Checks every field of a row, so that all that is wrong with it shows at once. The custom input is
 * converted even where From may match: a default that cannot be used is found now, not on the day
 * it is needed.
 */
export function planRow(
  row: RootedRow,
  parse: ParseInner,
): { ok: true; plan: Plan } | { ok: false; problems: Problem[] } {
  const problems: Problem[] = []
  const report = (field: Problem['field'], message: string): undefined => {
    problems.push({ field, message })
  }
  const readTo = (): PathSegment[] | undefined => {
    const parsed = parsePath(row.to, 'write')
    return parsed.ok ? parsed.segments : report('to', parsed.message)
  }
  const readFrom = (): Expression | undefined => {
    const parsed = parseFrom(row.from)
    return parsed.ok ? under(row.root ?? [], parsed.from) : report('from', parsed.message)
  }
  const hasFrom = row.from.trim() !== ''
  const hasInput = row.custom_input.trim() !== ''
  if (!hasFrom && !hasInput) report('from', 'Fill in From or Custom Input.')
  const from = hasFrom ? readFrom() : undefined
  const to = row.to.trim() === '' ? report('to', 'Fill in To.') : readTo()
  if (from && to) checkCounts(listsIn(from) ?? 0, countAll(to), report)
  const type = parseType(row.type) ?? report('type', unknownType(row.type))
  let input: ExactJson | undefined
  if (hasInput && opensPlaceholder(row.custom_input)) {
    report('custom_input', `Custom Input takes no placeholders. ${bracesHint}`)
  } else if (hasInput && type) {
    const converted = convertInput(unescapeBraces(row.custom_input), type.base, parse)
    if (converted.ok) input = converted.value
    else report('custom_input', converted.message)
  }
  if (!to || !type || problems.length > 0) return { ok: false, problems }
  return { ok: true, plan: { from, fromText: row.from, to, type, input } }
}

function checkCounts(
  from: number,
  to: number,
  report: (field: Problem['field'], message: string) => void,
): void {
  if (from === 0 || to === 0 || from === to) return
  report('to', `From has [*] ${times(from)}, To has it ${times(to)}: both must have it as often.`)
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

function unknownType(type: string): string {
  const shown = shorten(JSON.stringify(type.trim()))
  return `${shown} is not a type. Choose one of ${mappingTypes.join(', ')}.`
}
