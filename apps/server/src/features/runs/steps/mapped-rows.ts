import type { WorkflowMappingRow } from '@gatehouse/contract'
import { stepOfSource, type BodyFormat } from '@gatehouse/contract/request'
import {
  mapData,
  objectFrom,
  parsePath,
  pathText,
  stringifyExact,
  type ExactJson,
  type MappingRow,
} from '@gatehouse/contract/mapping'
import type { AnswerOf } from './placeholders.ts'
import type { ReadSource, ResolvedBody } from './step-source.ts'

/** Reads the rows of a step. Their paths are checked when they are saved. */
export function readRows(
  position: number,
  rows: readonly WorkflowMappingRow[],
  format: BodyFormat,
): ReadSource {
  if (format !== 'json') return { ok: false, field: 'body', message: onlyJson }
  const text = JSON.stringify(rows)
  const takes = takenFrom(rows)
  const source = { position, format, text, plain: undefined, dependency: null, takes, rows }
  return { ok: true, source, placeholders: [] }
}

export const onlyJson =
  'Mapping rows make JSON, and this endpoint takes another content type: write the body as text with placeholders.'

/** What the rows take from earlier answers, as paths. */
const takenFrom = (rows: readonly WorkflowMappingRow[]): string[] => [
  ...new Set(
    rows.flatMap((row) =>
      isRead(row) && row.source !== 'input' ? [row.source + dotted(row.from)] : [],
    ),
  ),
]

/** Maps the input and earlier answers into a body, exactly (spec: mapping). */
export function resolveRows(rows: readonly WorkflowMappingRow[], answerOf: AnswerOf): ResolvedBody {
  const read = stepsRead(rows)
  const missing = read.find((step) => answerOf(step) === undefined)
  if (missing !== undefined)
    return { ok: false, message: `Step ${missing} left no answer that is JSON to map from.` }
  const { mapped, errors } = mapData(sourceOf(read, answerOf), rows.map(toRow))
  const [first] = errors
  if (!first) return { ok: true, text: stringifyExact(mapped) }
  return { ok: false, message: `Mapping row ${first.row + 1}: ${first.message}` }
}

/** The places of the input that rows read and that lack a value, or hold one that does not fit. */
export function missingFromInput(rows: readonly WorkflowMappingRow[], input: ExactJson) {
  const reading = rows.filter((row) => isRead(row) && row.source === 'input')
  const { errors } = mapData(objectFrom([['input', input]]), reading.map(toRow))
  return errors.flatMap(({ row, field, message }) => {
    const parsed = parsePath(reading[row]?.from ?? '', 'read')
    if (field !== 'from' || !parsed.ok) return []
    return [{ at: pathText(parsed.segments), message }]
  })
}

/** Numbers of the steps that the rows read; 0: the input. */
const stepsRead = (rows: readonly WorkflowMappingRow[]): number[] => [
  ...new Set(rows.flatMap((row) => (isRead(row) ? [stepOfSource(row.source) ?? 0] : []))),
]

/** What the rows' paths begin at. Only what is read counts towards the limits of a mapping. */
function sourceOf(read: readonly number[], answerOf: AnswerOf): ExactJson {
  const bodies = read
    .filter((step) => step > 0)
    .map((step) => [String(step), objectFrom([['body', answerOf(step) ?? null]])] as const)
  return objectFrom([
    ...(read.includes(0) ? [['input', answerOf(0) ?? null] as const] : []),
    ...(bodies.length > 0 ? [['steps', objectFrom(bodies)] as const] : []),
  ])
}

function toRow({ source, from, ...rest }: WorkflowMappingRow): MappingRow {
  if (from.trim() === '') return { ...rest, from: '' }
  const step = stepOfSource(source) ?? 0
  // A path that can't be read keeps its own message.
  if (!parsePath(from, 'read').ok) return { ...rest, from }
  const begin = step === 0 ? 'input' : `steps['${step}'].body`
  return { ...rest, from: begin + dotted(from) }
}

/** The path after the place where it begins. */
function dotted(from: string): string {
  const path = from.trim().replace(/^\$(?=$|[.[])/, '')
  return path === '' || path.startsWith('.') || path.startsWith('[') ? path : `.${path}`
}

const isRead = ({ from }: WorkflowMappingRow) => from.trim() !== ''
