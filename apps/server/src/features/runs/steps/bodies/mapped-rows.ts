import type { WorkflowMappingRow } from '@gatehouse/contract'
import { stepOfSource, type BodyFormat } from '@gatehouse/contract/request'
import {
  mapData,
  objectFrom,
  parseFrom,
  pathsOf,
  pathText,
  readPath,
  stringifyExact,
  type ExactJson,
  type MappingMoment,
  type PathSegment,
  type RootedRow,
} from '@gatehouse/contract/mapping'
import type { AnswerOf } from '@gatehouse/contract/placeholders'
import type { ReadSource, ResolvedBody } from '../step-source.ts'

/** Reads the rows of a step. Their paths are checked when they are saved. */
export function readRows(
  position: number,
  rows: readonly WorkflowMappingRow[],
  format: BodyFormat,
  moment: MappingMoment | undefined,
): ReadSource {
  if (format !== 'json') return { ok: false, field: 'body', message: onlyJson }
  const text = JSON.stringify(rows)
  const takes = takenFrom(rows)
  const source = { position, format, text, plain: undefined, dependency: null, takes, rows }
  return { ok: true, source: moment ? { ...source, moment } : source, placeholders: [] }
}

export const onlyJson =
  'Mapping rows make JSON, and this endpoint takes another content type: write the body as text with placeholders.'

/** What the rows take from earlier answers, as paths. */
const takenFrom = (rows: readonly WorkflowMappingRow[]): string[] => [
  ...new Set(
    rows.flatMap(({ source, from }) =>
      source === 'input' ? [] : pathsIn(from).map((path) => source + dotted(pathText(path))),
    ),
  ),
]

/** Maps the input and earlier answers into a body, exactly (spec: mapping). */
export function resolveRows(
  rows: readonly WorkflowMappingRow[],
  answerOf: AnswerOf,
  moment: MappingMoment | undefined,
): ResolvedBody {
  const read = stepsRead(rows)
  const missing = read.find((step) => answerOf(step) === undefined)
  if (missing !== undefined)
    return { ok: false, message: `Step ${missing} left no answer that is JSON to map from.` }
  const { mapped, errors } = mapData(sourceOf(read, answerOf), rows.map(toRow), moment)
  const [first] = errors
  if (!first) return { ok: true, text: stringifyExact(mapped) }
  return { ok: false, message: `Mapping row ${first.row + 1}: ${first.message}` }
}

/** The places of the input that rows read and that lack a value, or hold one that does not fit. */
export function missingFromInput(
  rows: readonly WorkflowMappingRow[],
  input: ExactJson,
  moment: MappingMoment | undefined,
) {
  const reading = rows.filter((row) => isRead(row) && row.source === 'input')
  const { errors } = mapData(objectFrom([['input', input]]), reading.map(toRow), moment)
  return errors.flatMap(({ row, field, message }) => {
    const paths = pathsIn(reading[row]?.from ?? '')
    const at = paths.find((path) => !isThere(input, path)) ?? paths[0]
    return field === 'from' && at ? [{ at: pathText(at), message }] : []
  })
}

function isThere(input: ExactJson, path: readonly PathSegment[]): boolean {
  const read = readPath(input, path)
  return read.ok && read.values.length > 0
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

function toRow({ source, ...row }: WorkflowMappingRow): RootedRow {
  const step = stepOfSource(source) ?? 0
  const names = step === 0 ? ['input'] : ['steps', String(step), 'body']
  return { ...row, root: names.map((name) => ({ kind: 'name', name })) }
}

/** The shortest text of a path, as what follows the place where it begins. */
function dotted(from: string): string {
  if (from === '$') return ''
  return from.startsWith('[') ? from : `.${from}`
}

/** The paths that From reads; none where it can't be read, which mapping itself reports. */
function pathsIn(from: string): (readonly PathSegment[])[] {
  const parsed = from.trim() === '' ? undefined : parseFrom(from)
  return parsed?.ok ? pathsOf(parsed.from) : []
}

const isRead = ({ from }: WorkflowMappingRow) => pathsIn(from).length > 0
