import { answerTree } from '@gatehouse/contract/answer-tree'
import { exchangeMaxBytes, type BodyFormat } from '@gatehouse/contract/request'
import {
  JsonProblem,
  parseExact,
  stringifyExact,
  unescapeBraces,
  type ExactJson,
} from '@gatehouse/contract/mapping'
import { mergePick, parseDependencyField, pickFields } from '../dependency-pick.ts'
import { encoderOf, wholeDocument } from './encode-value.ts'
import { fillPlaceholders, findPlaceholders } from '../placeholders.ts'
import { resolveRows } from './mapped-rows.ts'
import { isOnePlaceholder, type AnswerOf, type Placeholder } from '@gatehouse/contract/placeholders'
import { tooLarge } from './size-budget.ts'
import type { ReadSource, ResolvedBody, StepSource } from '../step-source.ts'

export type { StepSource }

/**
 * Reads what was typed for a step; a refusal names the field at fault. Only JSON is parsed: what is
 * signed elsewhere goes out as it was typed.
 */
export function readSource(
  position: number,
  typed: string,
  dependencyText: string | null,
  format: BodyFormat = 'json',
  hasInput = false,
): ReadSource {
  if (format !== 'json') return readText(position, typed, dependencyText, format, hasInput)
  // A byte order mark is no part of JSON (RFC 8259 §8.1), but editors leave one behind.
  const text = typed.replace(/^\uFEFF/, '')
  const refused = (message: string, field: 'body' | 'dependency_field' = 'body') =>
    ({ ok: false, field, message }) as const
  let body: ExactJson | undefined
  try {
    body = bodyOf({ text })
  } catch (error) {
    if (error instanceof JsonProblem) return refused(error.message)
    throw error
  }
  const found =
    body === undefined
      ? { ok: true as const, placeholders: [], hasEscapes: false }
      : findPlaceholders(body, position, hasInput)
  if (!found.ok) return refused(found.message)
  const parsed = dependencyText === null ? undefined : parseDependencyField(dependencyText)
  if (parsed?.ok === false) return refused(parsed.message, 'dependency_field')
  const dependency = parsed?.fields ?? null
  const { placeholders } = found
  const takes = [...takenFromSteps(placeholders), ...(dependency ?? []).map((field) => field.text)]
  const isFilled = takes.length > 0 || placeholders.length > 0
  const unescaped = found.hasEscapes && body !== undefined ? withoutEscapes(text, body) : text
  const plain = isFilled ? undefined : unescaped
  const source = { position, format, text, plain, dependency, takes: [...new Set(takes)] }
  return { ok: true, source, placeholders }
}

const takenFromSteps = (placeholders: readonly Placeholder[]) =>
  placeholders.flatMap(({ step, text }) => (step > 0 ? [text] : []))

function readText(
  position: number,
  text: string,
  dependencyText: string | null,
  format: BodyFormat,
  hasInput: boolean,
): ReadSource {
  if (dependencyText !== null)
    return { ok: false, field: 'dependency_field', message: onlyJsonTakesFields }
  const found = findPlaceholders(text, position, hasInput)
  if (!found.ok) return { ...found, field: 'body' }
  const { placeholders } = found
  const takes = [...new Set(takenFromSteps(placeholders))]
  const unescaped = found.hasEscapes ? unescapeBraces(text) : text
  const plain = placeholders.length > 0 ? undefined : unescaped
  const source = { position, format, text, plain, dependency: null, takes }
  return { ok: true, source, placeholders }
}

const onlyJsonTakesFields =
  'Fields can only be taken into a JSON body, and this endpoint takes another content type: write placeholders like {{steps.1.body.id}} into the body.'

/** The tree of a body, by which it is compared; undefined where it has none. */
export function treeOf(format: BodyFormat, text: string): ExactJson | undefined {
  return format === 'json' || format === 'xml' ? answerTree(text) : undefined
}

/** What was typed, as JSON; undefined where it is blank. */
const bodyOf = ({ text }: Pick<StepSource, 'text'>): ExactJson | undefined =>
  text.trim() === '' ? undefined : parseExact(text)

/**
 * Keeps every other byte where the braces are not escaped: JSON has double braces in strings only.
 */
function withoutEscapes(text: string, body: ExactJson): string {
  if (!/\\u007b/i.test(text)) return unescapeBraces(text)
  const filled = fillPlaceholders(body, 1, () => undefined)
  return filled.ok ? stringifyExact(filled.body) : text
}

/**
 * The body that is sent, with the values of earlier answers and, as answer 0, of the input. Where nothing is taken from them, it
 * is the typed text, byte for byte. Placeholders are filled first; picked fields overwrite them. A
 * body of more than 5 MiB is refused.
 */
export function resolveBody(source: StepSource, answerOf: AnswerOf): ResolvedBody {
  if (source.plain !== undefined) return { ok: true, text: source.plain }
  if (source.rows) {
    const mapped = resolveRows(source.rows, answerOf, source.moment)
    return mapped.ok ? bounded(mapped.text) : mapped
  }
  if (source.format !== 'json') return resolveText(source, answerOf)
  let body = bodyOf(source)
  if (body !== undefined) {
    const filled = fillPlaceholders(body, source.position, answerOf)
    if (!filled.ok) return filled
    body = filled.body
  }
  if (source.dependency) {
    const answer = answerOf(1)
    if (answer === undefined)
      return { ok: false, message: 'Step 1 left no answer that is JSON to take fields from.' }
    const pick = pickFields(answer, source.dependency)
    if (!pick.ok) return pick
    const merged = mergePick(body, pick.value)
    if (!merged.ok) return merged
    body = merged.value
  }
  return bounded(body === undefined ? '' : stringifyExact(body))
}

function resolveText({ text, position, format }: StepSource, answerOf: AnswerOf): ResolvedBody {
  const isDocument = format === 'xml' && isOnePlaceholder(text.trim())
  const filled = isDocument
    ? fillPlaceholders(text.trim(), position, answerOf, wholeDocument)
    : fillPlaceholders(text, position, answerOf, encoderOf(format))
  if (!filled.ok) return filled
  return bounded(typeof filled.body === 'string' ? filled.body : stringifyExact(filled.body))
}

const bounded = (text: string): ResolvedBody =>
  Buffer.byteLength(text) > exchangeMaxBytes ? { ok: false, message: tooLarge } : { ok: true, text }
