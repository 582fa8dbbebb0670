import type { ExactJson } from './exact/exact-json.ts'
import { isExactObject, isLosslessNumber, JsonProblem, LosslessNumber } from './exact/exact-json.ts'
import { parseExact } from './exact/exact-json.ts'
import { showValue } from './show-value.ts'

const baseTypes = [
  'auto',
  'string',
  'number',
  'integer',
  'boolean',
  'array',
  'object',
  'json',
] as const
export type BaseType = (typeof baseTypes)[number]

/** Every type of a row; with `?` a missing value leaves the key out instead of being an error. */
export const mappingTypes: readonly string[] = [
  ...baseTypes,
  ...baseTypes.map((type) => `${type}?`),
]

export interface RowType {
  base: BaseType
  isOptional: boolean
}

/** Reads the Type of a row: blank is `auto`; case and outer blanks do not count. */
export function parseType(text: string): RowType | undefined {
  const name = text.trim().toLowerCase()
  const isOptional = name.endsWith('?')
  const base = baseTypes.find((type) => type === (isOptional ? name.slice(0, -1) : name || 'auto'))
  return base && { base, isOptional }
}

type Converted = { ok: true; value: ExactJson } | { ok: false; message: string }

/** Parses JSON inside a mapping. A text that many rows share is parsed once. */
export type ParseInner = (text: string) => Converted

export function createInnerParser(): ParseInner {
  const known = new Map<string, Converted>()
  return (text) => {
    let result = known.get(text)
    if (result === undefined) {
      result = parseInner(text)
      known.set(text, result)
    }
    return result
  }
}

const converters: Record<BaseType, (value: ExactJson, parse: ParseInner) => Converted> = {
  auto: accept,
  string: toText,
  number: (value) => toNumber(value, /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/, 'a number'),
  integer: (value) => toNumber(value, /^-?(?:0|[1-9]\d*)$/, 'a whole number in plain digits'),
  boolean: toBoolean,
  array: (value) => (Array.isArray(value) ? accept(value) : refuse(value, 'a list')),
  object: (value) => (isExactObject(value) ? accept(value) : refuse(value, 'an object')),
  json: (value, parse) => (typeof value === 'string' ? parse(value) : accept(value)),
}

/** Converts a value that was read from the data (spec: mapping-types). Never rewrites a number. */
export function convertValue(value: ExactJson, type: BaseType, parse: ParseInner): Converted {
  return converters[type](value, parse)
}

/**
 * Converts what a person typed as custom input. `auto` keeps it as text, exactly as typed: an
 * identifier like 0123 must not turn into a number unasked. `array` and `object` are typed as JSON.
 */
export function convertInput(text: string, type: BaseType, parse: ParseInner): Converted {
  if (type === 'auto' || type === 'string') return accept(text)
  const typed = text.trim()
  if (type !== 'array' && type !== 'object') return convertValue(typed, type, parse)
  const parsed = parse(typed)
  return parsed.ok ? convertValue(parsed.value, type, parse) : parsed
}

function accept(value: ExactJson): Converted {
  return { ok: true, value }
}

function toText(value: ExactJson): Converted {
  if (isLosslessNumber(value)) return accept(value.value)
  if (typeof value === 'boolean') return accept(String(value))
  return typeof value === 'string' ? accept(value) : refuse(value, 'text')
}

function toNumber(value: ExactJson, pattern: RegExp, wanted: string): Converted {
  const digits = isLosslessNumber(value) ? value.value : value
  if (typeof digits !== 'string' || !pattern.test(digits)) return refuse(value, wanted)
  return accept(isLosslessNumber(value) ? value : new LosslessNumber(digits))
}

function toBoolean(value: ExactJson): Converted {
  if (value === 'true' || value === 'false') return accept(value === 'true')
  return typeof value === 'boolean' ? accept(value) : refuse(value, 'true or false')
}

function parseInner(text: string): Converted {
  try {
    return accept(parseExact(text))
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    return { ok: false, message: `${showValue(text)} cannot be read as JSON. ${error.message}` }
  }
}

function refuse(value: ExactJson, wanted: string): Converted {
  const hint = value === null ? ' Use the type auto to pass null on.' : ''
  // Quotes alone do not tell an administrator that "5" is not the number 5.
  const kind = typeof value === 'string' ? ' (text)' : ''
  return { ok: false, message: `${showValue(value)}${kind} is not ${wanted}.${hint}` }
}
