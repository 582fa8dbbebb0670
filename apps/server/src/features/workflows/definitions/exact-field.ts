import {
  JsonProblem,
  ownValue,
  isExactObject,
  parseExact,
  stringifyExact,
  type ExactJson,
} from '@gatehouse/contract/mapping'
import { fieldError } from '../../../kernel/app-error.ts'

/**
 * A field of a body that holds JSON of others, as JSON text: its numbers are those that were sent. Text in
 * the field is JSON itself. Null where the field is absent, null or blank. `value` is the field as parsed.
 * Throws a 422 on the field.
 */
export function exactText(
  value: unknown,
  bodyText: string,
  path: readonly string[],
): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') return stringifyExact(at(parsed(bodyText, 'body'), path))
  if (value.trim() === '') return null
  parsed(value, path.join('.'))
  return value.replace(/^\uFEFF/, '').trim()
}

function parsed(text: string, field: string): ExactJson {
  try {
    return parseExact(text, { maxDepth: 40 })
  } catch (error) {
    if (error instanceof JsonProblem) throw fieldError({ [field]: [error.message] })
    throw error
  }
}

function at(value: ExactJson, path: readonly string[]): ExactJson {
  const found = path.reduce<ExactJson | undefined>(
    (each, key) => (each !== undefined && isExactObject(each) ? ownValue(each, key) : undefined),
    value,
  )
  return found ?? null
}
