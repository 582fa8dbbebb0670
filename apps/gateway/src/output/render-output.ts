import type { CompiledOutput, OutputPart } from '@gatehouse/contract/custom-output'
import { readPath, stringifyExact } from '@gatehouse/contract/mapping'
import type { ExactJson, ExactObject } from '@gatehouse/contract/mapping'

/** UTF-16 code units of a rendered answer. */
export const renderedMax = 16 * 1024 * 1024

/**
 * The answer that a template makes of a call, or null where it would be larger than 16 Mi. What a path
 * does not find is null in JSON and nothing in a text. Numbers stay exact.
 */
export function renderOutput(
  output: Extract<CompiledOutput, { kind: 'template' }>,
  scope: ExactObject,
): string | null {
  let text = ''
  for (const part of output.parts) {
    text += part.kind === 'literal' ? part.text : written(part, scope)
    if (text.length > renderedMax) return null
  }
  return text
}

function written(part: Extract<OutputPart, { kind: 'value' }>, scope: ExactObject): string {
  const value = valueAt(part.segments, scope)
  if (part.mode === 'json') return stringifyExact(value ?? null)
  const text =
    typeof value === 'string'
      ? value
      : value === undefined || value === null
        ? ''
        : stringifyExact(value)
  return part.mode === 'text' ? text : JSON.stringify(text).slice(1, -1)
}

function valueAt(
  segments: Extract<OutputPart, { kind: 'value' }>['segments'],
  scope: ExactObject,
): ExactJson | undefined {
  const read = readPath(scope, segments)
  if (!read.ok) return undefined
  return segments.some(({ kind }) => kind === 'all') ? read.values : read.values[0]
}
