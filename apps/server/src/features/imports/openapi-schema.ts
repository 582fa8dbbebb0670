import type { DocumentReader, Part } from './imported-document.ts'

type Schema = Record<string, unknown>

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const oneSchema = new Set([
  'items',
  'additionalProperties',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
])
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas'])
/** Taken as they are. */
const plain = new Set([
  'type',
  'enum',
  'const',
  'multipleOf',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxContains',
  'minContains',
  'maxProperties',
  'minProperties',
  'required',
  'dependentRequired',
  'format',
])
/** Those that are checked. Others say what is meant. */
const formats = new Set(['date', 'time', 'date-time', 'uuid', 'email', 'uri'])

/** Schemas that one schema refers to, directly or not. */
const definitionsMax = 500

/**
 * The JSON Schema (2020-12) of a schema in an OpenAPI or Swagger document: it stands alone, with what it
 * refers to under `$defs`, and has no keyword that says nothing about what is valid.
 */
export class SchemaReader {
  readonly #reader: DocumentReader
  readonly #isAnswer: boolean
  readonly #names = new Map<string, string>()
  readonly #definitions: Schema = {}

  /** `isAnswer`: what is written only is not in it; in a request, what is read only is not. */
  constructor(reader: DocumentReader, { isAnswer }: { isAnswer: boolean }) {
    this.#reader = reader
    this.#isAnswer = isAnswer
  }

  /** One that stands alone. Throws where it refers to more schemas than are taken. */
  read(part: Part): Schema {
    return this.withDefinitions(this.readPart(part))
  }

  /** What it refers to has to be added to the whole that it becomes a part of. */
  readPart({ value }: Part): Schema {
    const schema = this.#convert(value)
    return isObject(schema) ? schema : schema === false ? { not: {} } : {}
  }

  withDefinitions(whole: Schema): Schema {
    return this.#names.size === 0 ? whole : { ...whole, $defs: this.#definitions }
  }

  #convert(value: unknown): unknown {
    if (typeof value === 'boolean') return value
    if (!isObject(value)) return {}
    const { $ref } = value
    const converted = typeof $ref === 'string' ? this.#reference($ref) : {}
    for (const [key, each] of Object.entries(value)) {
      if (oneSchema.has(key)) converted[key] = this.#convert(each)
      else if (lists.has(key) && Array.isArray(each))
        converted[key] = each.map((one) => this.#convert(one))
      else if (maps.has(key) && isObject(each)) converted[key] = this.#convertAll(each)
      else if (plain.has(key) && (key !== 'required' || Array.isArray(each))) converted[key] = each
    }
    this.#leaveHiddenOut(converted, value)
    return asOf2020(converted, value)
  }

  #convertAll(map: Schema): Schema {
    return Object.fromEntries(
      Object.entries(map).map(([name, each]) => [name, this.#convert(each)]),
    )
  }

  #reference(to: string): Schema {
    const known = this.#names.get(to)
    if (known !== undefined) return { $ref: `#/$defs/${known}` }
    if (this.#names.size >= definitionsMax)
      throw new Error(`It refers to more than ${definitionsMax} schemas.`)
    const found = this.#reader.follow({ value: { $ref: to }, keys: [] })
    const name = `s${this.#names.size + 1}`
    this.#names.set(to, name)
    this.#definitions[name] = {}
    this.#definitions[name] = this.#convert(found?.value)
    return { $ref: `#/$defs/${name}` }
  }

  /** What this side does not send is not required of it (OpenAPI 3.0.4 §4.7.24). */
  #leaveHiddenOut(converted: Schema, { properties }: Schema): void {
    const hidden = this.#isAnswer ? 'writeOnly' : 'readOnly'
    const { required } = converted
    if (!Array.isArray(required) || !isObject(properties)) return
    const left = required.filter((name) => {
      const property = properties[String(name)]
      return !(isObject(property) && property[hidden] === true)
    })
    if (left.length > 0) converted['required'] = left
    else delete converted['required']
  }
}

/** OpenAPI 3.0 and Swagger 2 say some things in another way. */
function asOf2020(schema: Schema, given: Schema): Schema {
  for (const [exclusive, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (schema[exclusive] === true) schema[exclusive] = schema[limit]
    if (given[exclusive] === true) delete schema[limit]
    if (typeof schema[exclusive] !== 'number') delete schema[exclusive]
  }
  if (typeof schema['format'] !== 'string' || !formats.has(schema['format']))
    delete schema['format']
  if (schema['type'] === 'file') delete schema['type']
  if (given['nullable'] !== true) return schema
  // Beside a reference or a list of schemas it would have to hold for those, too.
  return schema['type'] === undefined ? { anyOf: [schema, { type: 'null' }] } : orNull(schema)
}

function orNull(schema: Schema): Schema {
  const values = schema['enum']
  return {
    ...schema,
    type: [schema['type'], 'null'].flat(),
    ...(Array.isArray(values) && !values.includes(null) && { enum: [...values, null] }),
  }
}
