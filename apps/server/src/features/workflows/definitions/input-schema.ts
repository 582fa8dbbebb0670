import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ErrorObject, ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { RE2JS } from 're2js'

const patternMaxLength = 1000
const patternsMax = 200
/** An answer names no more places than this. */
const placesMax = 100

// The full checks know calendars. Those of addresses are simple patterns, which no input slows down.
const fullFormats = ['date', 'time', 'date-time', 'uuid'] as const
const fastFormats = ['email', 'uri'] as const

/** Messages by JSON pointer (RFC 6901); `input` is the whole. */
export type Places = Record<string, string[]>

type Compiled = { ok: true; validate: ValidateFunction } | { ok: false; message: string }

/**
 * Patterns are matched in linear time: an input must not be able to hold the server up. So there are no
 * look-arounds and no back references.
 */
const linear = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
    return { test: (text: string) => compiled.matcher(text).find(), toString: () => `/${pattern}/` }
  },
  { code: 'linear' },
)

/** Reads a JSON Schema (2020-12). Not ok where it is none, or holds what is refused. */
export function compileSchema(text: string): Compiled {
  try {
    const schema: unknown = JSON.parse(text)
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
      return refused('The schema must be a JSON object.')
    const problem = problemOf(schema)
    if (problem !== undefined) return refused(problem)
    const ajv = new Ajv2020({
      allErrors: true,
      allowUnionTypes: true,
      strictTypes: false,
      strictRequired: false,
      strictTuples: false,
      multipleOfPrecision: 9,
      logger: false,
      code: { regExp: linear },
    })
    // Of OpenAPI: says nothing about what is valid.
    ajv.addVocabulary(['example'])
    addFormats.default(ajv, { mode: 'full', formats: [...fullFormats] })
    addFormats.default(ajv, { mode: 'fast', formats: [...fastFormats] })
    return { ok: true, validate: ajv.compile(schema) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return refused(`This schema can't be used: ${message.slice(0, 500)}`)
  }
}

/** Everything that does not fit, by place; undefined where all of it does. */
export function placesOf(validate: ValidateFunction, input: unknown): Places | undefined {
  if (validate(input)) return undefined
  const places: Places = {}
  for (const error of validate.errors ?? []) {
    const place = placeOf(error)
    const known = Object.hasOwn(places, place)
    if (!known && Object.keys(places).length >= placesMax) continue
    const messages = known ? (places[place] ?? []) : []
    const message = messageOf(error)
    if (!messages.includes(message)) messages.push(message)
    places[place] = messages
  }
  return places
}

/** A missing or unknown property is named itself, not the object around it. */
function placeOf({ instancePath, params }: ErrorObject): string {
  const { missingProperty, additionalProperty, unevaluatedProperty } = params as Record<
    string,
    unknown
  >
  const name = missingProperty ?? additionalProperty ?? unevaluatedProperty
  const escaped =
    typeof name === 'string' ? `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` : ''
  return (instancePath + escaped).slice(0, 500) || 'input'
}

function messageOf({ keyword, params, message = 'does not fit' }: ErrorObject): string {
  if (keyword === 'required' || keyword === 'dependentRequired') return 'This is missing.'
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties')
    return 'There is no such field here.'
  const { allowedValues, allowedValue } = params as Record<string, unknown>
  const values = Array.isArray(allowedValues) ? allowedValues : [allowedValue]
  if (keyword === 'enum' || keyword === 'const')
    return `This must be ${values.map((value) => JSON.stringify(value)).join(', ')}.`.slice(0, 300)
  return `This ${message.replace(/NOT/, 'not')}.`
}

/** Keywords whose values are data. */
const holdsData = new Set(['const', 'enum', 'default', 'example', 'examples'])

/** What ajv would take and we refuse: references to other documents, and patterns beyond measure. */
function problemOf(schema: object): string | undefined {
  let patterns = 0
  const visit = (value: unknown): string | undefined => {
    if (typeof value !== 'object' || value === null) return undefined
    for (const [key, each] of Object.entries(value)) {
      if (holdsData.has(key)) continue
      if (/^\$(?:ref|dynamicRef)$/.test(key) && typeof each === 'string' && !each.startsWith('#'))
        return `$ref may only point into this schema, and ${each.slice(0, 100)} does not.`
      const written =
        key === 'pattern' && typeof each === 'string' ? [each] : keysOfPatterns(key, each)
      patterns += written.length
      const problem = written.map(patternProblem).find(Boolean) ?? visit(each)
      if (problem !== undefined) return problem
    }
    return patterns > patternsMax ? `A schema has at most ${patternsMax} patterns.` : undefined
  }
  return visit(schema)
}

const keysOfPatterns = (key: string, value: unknown): string[] =>
  key === 'patternProperties' && typeof value === 'object' && value !== null
    ? Object.keys(value)
    : []

function patternProblem(pattern: string): string | undefined {
  if (pattern.length > patternMaxLength)
    return `A pattern may not be longer than ${patternMaxLength} characters.`
  try {
    linear(pattern)
    return undefined
  } catch {
    return `The pattern ${pattern.slice(0, 100)} can't be used: look-arounds, back references and repetitions of more than 1000 are not supported.`
  }
}

const refused = (message: string) => ({ ok: false, message }) as const
