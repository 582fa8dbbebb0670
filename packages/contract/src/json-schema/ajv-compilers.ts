import { _, Ajv2020 } from 'ajv/dist/2020.js'
import type { KeywordCxt, ValidateFunction } from 'ajv/dist/2020.js'
import { addCheckedFormats } from './formats.ts'
import { linearPatterns } from './linear-pattern.ts'
import { workKeyword } from './measured-schema.ts'
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
  const key = JSON.stringify(settings)
  let ajv = compilers.get(key)
  if (ajv === undefined) compilers.set(key, (ajv = createAjv(settings)))
  // The schema of schemas has patterns, too.
  meter.left = Infinity
  try {
    return ajv.compile(schema)
  } finally {
    ajv.removeSchema(schema)
  }
}

/** Formats of OpenAPI and of JSON Schema that say what is meant, and that we do not check. */
const otherFormats = [
  'binary',
  'byte',
  'char',
  'decimal',
  'double',
  'duration',
  'float',
  'hostname',
  'int32',
  'int64',
  'ipv4',
  'ipv6',
  'password',
]

function createAjv({ isText, ownProperties, allErrors }: Settings): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    ownProperties,
    coerceTypes: isText ? 'array' : false,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
    strictTuples: false,
    // A part that is referred to often is compiled once.
    inlineRefs: false,
    multipleOfPrecision: 9,
    logger: false,
    code: { regExp: linearPatterns(meter) },
  })
  // Of OpenAPI: they say nothing about what is valid.
  ajv.addVocabulary(['example', 'discriminator', 'xml', 'externalDocs'])
  addCheckedFormats(ajv)
  for (const format of otherFormats) ajv.addFormat(format, true)
  ajv.addKeyword({ keyword: workKeyword, schemaType: 'number', code: writePayment })
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

/** The same text for what JSON Schema takes for equal. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${fields.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join()}}`
}
