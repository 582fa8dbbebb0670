import type { CompiledOutput, OutputPart } from '@gatehouse/contract/custom-output'
import { readPath, stringifyExact } from '@gatehouse/contract/mapping'
import type { ExactJson, ExactObject } from '@gatehouse/contract/mapping'

/** UTF-16 code units of a rendered answer. */
const renderedMax = 16 * 1024 * 1024

/** Elements of lists that all paths of a template together look at. */
export const visitedMax = 1_000_000

type Rendered =
  | { ok: true; text: string }
  /** `detail`: for the log. */
  | { ok: false; detail: string }

/**
 * The answer that a template makes of a call, unless it would be larger than 16 Mi or take more than a
 * moment to put together. What a path does not find is null in JSON and nothing in a text. Numbers stay
 * exact.
 */
export function renderOutput(
  output: Extract<CompiledOutput, { kind: 'template' }>,
  scope: ExactObject,
): Rendered {
  const known: string[] = []
  let text = ''
  let visited = 0
  for (const part of output.parts) {
    if (part.kind === 'literal') text += part.text
    else {
      let value = known[part.at]
      if (value === undefined) {
        const found = valueAt(part.segments, scope, (elements) => (visited += elements))
        if (visited > visitedMax) {
          return {
            ok: false,
            detail: `the template looks at more than ${visitedMax} elements of it`,
          }
        }
        value = written(found, part.mode)
        known[part.at] = value
      }
      text += value
    }
    if (text.length > renderedMax) {
      return { ok: false, detail: 'the template makes more than 16 MiB of it' }
    }
  }
  return { ok: true, text }
}

type ValuePart = Extract<OutputPart, { kind: 'value' }>

function written(value: ExactJson | undefined, mode: ValuePart['mode']): string {
  if (mode === 'json') return stringifyExact(value ?? null)
  const text =
    typeof value === 'string'
      ? value
      : value === undefined || value === null
        ? ''
        : stringifyExact(value)
  return mode === 'text' ? text : JSON.stringify(text).slice(1, -1)
}

function valueAt(
  segments: ValuePart['segments'],
  scope: ExactObject,
  onVisit: (elements: number) => void,
): ExactJson | undefined {
  const read = readPath(scope, segments, onVisit)
  if (!read.ok) return undefined
  return segments.some(({ kind }) => kind === 'all') ? read.values : read.values[0]
}
