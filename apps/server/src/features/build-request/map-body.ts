import type { BodyFormat } from '@gatehouse/contract'
import {
  escapeBraces,
  JsonProblem,
  looksLikeMappingRows,
  mapData,
  parseExact,
  stringifyExact,
  toMappingRows,
  type ExactJson,
  type MappingError,
  type MappingMoment,
} from '@gatehouse/contract/mapping'

export interface MappingQuestion {
  first: string
  typed: string
  /** Of bodies to the endpoint that it is sent to. */
  format: BodyFormat
  /** What `now()` and `uuid()` of rows give. */
  moment: MappingMoment
}

export type MappedBody =
  | { ok: true; body: string }
  | { ok: false; field: string; messages: string[] }

/**
 * The body that a build request sends. `typed` is the JSON text of mapping rows, which are applied
 * to `first`, the fetched JSON; or it is a finished body, which is sent as typed. The shape of the
 * JSON decides. Not ok with a message for every row at fault. An endpoint of another content type
 * takes a finished body alone.
 */
export function mapBody({ first, typed, format, moment }: MappingQuestion): MappedBody {
  try {
    return format === 'json' ? mapOrThrow(first, typed, moment) : textOrThrow(typed)
  } catch (error) {
    if (error instanceof FieldProblem)
      return { ok: false, field: error.field, messages: error.messages }
    throw error
  }
}

class FieldProblem extends Error {
  readonly field: string
  readonly messages: string[]

  constructor(field: string, messages: string[]) {
    super(messages[0])
    this.field = field
    this.messages = messages
  }
}

function mapOrThrow(first: string, typed: string, moment: MappingMoment): MappedBody {
  // A byte order mark is no part of JSON (RFC 8259 §8.1), but editors leave one behind.
  const second = typed.replace(/^\uFEFF/, '')
  const parsed = parsedField(second, 'second_endpoint')
  if (parsed === undefined) throw nothingTyped()
  if (!looksLikeMappingRows(parsed)) return { ok: true, body: second }
  const { rows, errors } = toMappingRows(parsed)
  if (errors.length > 0) throw mappingErrors(errors)
  const result = mapData(parsedField(first, 'first_endpoint') ?? null, rows, moment)
  if (result.errors.length > 0) throw mappingErrors(result.errors)
  return { ok: true, body: escapeBraces(stringifyExact(result.mapped)) }
}

function textOrThrow(typed: string): MappedBody {
  if (typed.trim() === '') throw nothingTyped()
  if (areMappingRows(typed)) {
    throw new FieldProblem('second_endpoint', [
      'Mapping rows make JSON, and the run settings of this endpoint name another content type. Type the body as it is to be sent.',
    ])
  }
  return { ok: true, body: typed }
}

function areMappingRows(text: string): boolean {
  try {
    return looksLikeMappingRows(parseExact(text))
  } catch (error) {
    if (error instanceof JsonProblem) return false
    throw error
  }
}

const nothingTyped = () =>
  new FieldProblem('second_endpoint', ['Add a mapping row or type the body that is to be sent.'])

function parsedField(text: string, field: string): ExactJson | undefined {
  if (text.trim() === '') return undefined
  try {
    return parseExact(text)
  } catch (error) {
    if (error instanceof JsonProblem) throw new FieldProblem(field, [error.message])
    throw error
  }
}

const mappingErrors = (errors: readonly MappingError[]) =>
  new FieldProblem(
    'second_endpoint',
    errors.map(({ row, field, message }) => `Row ${row + 1}, ${field}: ${message}`),
  )
