import {
  JsonProblem,
  looksLikeMappingRows,
  mapData,
  parseExact,
  stringifyExact,
  toMappingRows,
  type ExactJson,
  type MappingError,
} from '@gatehouse/contract/mapping'
import { fieldError } from '../../kernel/app-error.ts'

/**
 * What a build request sends: `second` is the JSON text of mapping rows, applied here to `first`, the
 * fetched JSON, or a finished body, which stays as it was typed. Told apart by shape (RUNS.md).
 * Throws a 422 that names every row at fault.
 */
export function bodyToSend(first: string, typed: string): string {
  // A byte order mark is no part of JSON (RFC 8259 §8.1), but editors leave one behind.
  const second = typed.replace(/^\uFEFF/, '')
  const parsed = parsedField(second, 'second_endpoint')
  if (parsed === undefined) {
    throw fieldError({
      second_endpoint: ['Add a mapping row or type the body that is to be sent.'],
    })
  }
  if (!looksLikeMappingRows(parsed)) return second
  const { rows, errors } = toMappingRows(parsed)
  if (errors.length > 0) throw mappingErrors(errors)
  const result = mapData(parsedField(first, 'first_endpoint') ?? null, rows)
  if (result.errors.length > 0) throw mappingErrors(result.errors)
  return stringifyExact(result.mapped)
}

function parsedField(text: string, field: string): ExactJson | undefined {
  if (text.trim() === '') return undefined
  try {
    return parseExact(text)
  } catch (error) {
    if (error instanceof JsonProblem) throw fieldError({ [field]: [error.message] })
    throw error
  }
}

const mappingErrors = (errors: readonly MappingError[]) =>
  fieldError({
    second_endpoint: errors.map(
      ({ row, field, message }) => `Row ${row + 1}, ${field}: ${message}`,
    ),
  })
