import { _, Ajv2020, str } from 'ajv/dist/2020.js'
import type { KeywordCxt, ValidateFunction } from 'ajv/dist/2020.js'
import { canonical } from './canonical.ts'
import { addCheckedFormats } from './formats.ts'
import { linearPatterns } from './linear-pattern.ts'
import { workKeyword } from './measured-schema.ts'
import { isMultiple } from './standard/exact-multiple.ts'
import { WorkMeter } from './work-meter.ts'

/** Of the check under way: there is never more than one. */
export const meter = new WorkMeter()

/** Steps of one check; see `WorkMeter`. On a plain machine a tenth of a second at worst. */
export const stepsMax = 5_000_000

interface Settings {
  isText: boolean
  ownProperties: boolean
  allErrors: boolean
}

const compilers = new Map<string, Ajv2020>()

/** Compilers are kept: each compiles the schema of schemas first, which takes longer than most schemas. */
export function compileWith(settings: Settings, schema: object): ValidateFunction {
  const ajv = compilerOf(settings)
  // The schema of schemas has patterns, too.
  meter.left = Infinity
  try {
    return ajv.compile(schema)
  } finally {
    ajv.removeSchema(schema)
  }
}

/** A document of JSON Schema's own: the schema of schemas, and its parts. */
export const schemaOfSchemas = (uri: string): object | undefined =>
  compilerOf(plain).getSchema(uri)?.schema as object | undefined

/** Throws an error with a message for an administrator where it is no schema. */
export function checkBySchemaOfSchemas(schema: object): void {
  meter.left = Infinity
  void compilerOf(plain).validateSchema(schema, true)
}

const plain: Settings = { isText: false, ownProperties: false, allErrors: false }

function compilerOf(settings: Settings): Ajv2020 {
  const key = JSON.stringify(settings)
  let ajv = compilers.get(key)
  if (ajv === undefined) compilers.set(key, (ajv = createAjv(settings)))
  return ajv
}

function createAjv({ isText, ownProperties, allErrors }: Settings): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    ownProperties,
    coerceTypes: isText ? 'array' : false,
    // What the standard ignores is ignored: other keywords, and formats that are not checked (core §4.3.1).
    strict: false,
    // A number of no size, as 1e400 is read, is none.
    strictNumbers: true,
    // A part that is referred to often is compiled once.
    inlineRefs: false,
    logger: false,
    code: { regExp: linearPatterns(meter) },
  })
  addCheckedFormats(ajv)
  ajv.addKeyword({ keyword: workKeyword, schemaType: 'number', code: writePayment })
  ajv.removeKeyword('multipleOf')
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    validate: (of: number, value: number) => isMultiple(value, of),
    error: { message: ({ schemaCode }) => str`must be multiple of ${schemaCode}` },
  })
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isAsked: boolean, list: unknown[]) => !isAsked || isUnique(list),
    error: { message: 'must not hold the same element twice' },
  })
  return ajv
}

/** Code that pays for a part: its own cost, and the length of a text. */
function writePayment({ gen, data, schema }: KeywordCxt): void {
  const name = gen.scopeValue('obj', { ref: meter })
  const cost = _`${Number(schema)} + (typeof ${data} == "string" ? ${data}.length : 0)`
  gen.if(_`(${name}.left -= ${cost}) < 0`, () => gen.throw(_`${name}.spent`))
}

/** In time linear in the size of the list; ajv compares each element with each. */
function isUnique(list: unknown[]): boolean {
  const seen = new Set<string>()
  return list.every((each) => {
    const text = canonical(each)
    meter.spend(text.length)
    return seen.size < seen.add(text).size
  })
}
