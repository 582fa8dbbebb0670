import type { ErrorObject } from 'ajv'
import { canonical } from '../canonical.ts'
import type { WorkMeter } from '../work-meter.ts'
import { coerced } from './coerced.ts'
import { Evaluated } from './evaluated.ts'
import { isMultiple } from './exact-multiple.ts'
import type { Resource, SchemaDocument } from './schema-document.ts'
import { isObject, type Schema } from './schema-places.ts'

interface Tools {
  readonly document: SchemaDocument
  readonly meter: WorkMeter
  readonly isText: boolean
  readonly allErrors: boolean
  /** Null: a format that says nothing. */
  readonly formatOf: (name: string) => ((text: string) => boolean) | null
  readonly patternOf: (pattern: string) => { test(text: string): boolean }
}

/** A value is that of a field or an element: `isText` puts what a text is read as in its place. */
type Holder = Record<string | number, unknown>

/** References inside one another before any value is entered: more are a schema that refers to itself. */
const depthMax = 500

/** How many steps of the code that ajv makes a part takes here. */
const slowness = 10

/**
 * Checks by the letter of JSON Schema 2020-12, keyword by keyword. Slower than the code that ajv makes: for schemas
 * that it does not take, or takes for something else.
 */
export class StandardCheck {
  readonly #tools: Tools
  readonly #root: unknown
  errors: ErrorObject[] = []
  /** From the outermost: which resources led here. */
  readonly #scope: Resource[] = []
  #depth = 0
  /** What is allowed, as it is compared; by schema. */
  readonly #allowed = {
    enum: new WeakMap<object, ReadonlySet<string>>(),
    const: new WeakMap<object, ReadonlySet<string>>(),
  }

  constructor(schema: unknown, tools: Tools) {
    this.#root = schema
    this.#tools = tools
  }

  /** Throws TooMuchWork. */
  fits(value: unknown): boolean {
    this.errors = []
    this.#scope.length = 0
    this.#depth = 0
    return this.#check(this.#root, this.#tools.document.root, { '': value }, '', '') !== null
  }

  /** Null: it does not fit. */
  #check(
    schema: unknown,
    around: Resource,
    holder: Holder,
    key: string | number,
    path: string,
  ): Evaluated | null {
    if (schema === true) return new Evaluated()
    if (schema === false) return this.#fail(path, 'false schema', 'must not be here')
    if (!isObject(schema)) return new Evaluated()
    const { document, meter } = this.#tools
    const resource = document.resourceOf(schema, around)
    const length = typeof holder[key] === 'string' ? holder[key].length : 0
    meter.spend(slowness * costOf(schema) + length)
    const isEntered = this.#scope.at(-1) !== resource
    if (isEntered) this.#scope.push(resource)
    if (++this.#depth > depthMax) throw meter.spent
    try {
      return this.#keywords(schema, resource, holder, key, path)
    } finally {
      this.#depth--
      if (isEntered) this.#scope.pop()
    }
  }

  #keywords(
    schema: Schema,
    resource: Resource,
    holder: Holder,
    key: string | number,
    path: string,
  ): Evaluated | null {
    const seen = new Evaluated()
    const at: Place = { schema, resource, holder, key, path, seen }
    let isFit = this.#type(at)
    const steps = [
      () => this.#simple(at),
      () => this.#references(at),
      () => this.#combined(at),
      () => this.#array(at),
      () => this.#object(at),
    ]
    for (const step of steps) {
      if (!isFit && !this.#tools.allErrors) return null
      isFit = step() && isFit
    }
    // What was not looked at by those above.
    if (isFit) isFit = this.#unevaluated(at)
    return isFit ? seen : null
  }

  #type({ schema, holder, key, path }: Place): boolean {
    const { type } = schema
    if (type === undefined) return true
    const types = [type].flat() as string[]
    if (schema['nullable'] === true && holder[key] === null) return true
    if (types.some((each) => isOfType(holder[key], each))) return true
    if (this.#tools.isText) {
      const read = coerced(holder[key], types)
      if (read !== undefined) {
        holder[key] = read.value
        return true
      }
    }
    return this.#no(path, 'type', `must be ${types.join(',')}`)
  }

  #simple({ schema, holder, key, path }: Place): boolean {
    const value = holder[key]
    let isFit = true
    const need = (isKept: boolean, keyword: string, message: string, params = {}) => {
      if (!isKept) isFit = this.#no(path, keyword, message, params)
    }
    if (Array.isArray(schema['enum']))
      need(this.#isAllowed(schema, 'enum', value), 'enum', '', { allowedValues: schema['enum'] })
    if (Object.hasOwn(schema, 'const'))
      need(this.#isAllowed(schema, 'const', value), 'const', '', { allowedValue: schema['const'] })
    if (typeof value === 'number') {
      const {
        minimum,
        maximum,
        exclusiveMinimum: above,
        exclusiveMaximum: below,
        multipleOf,
      } = schema
      if (typeof minimum === 'number') need(value >= minimum, 'minimum', `must be >= ${minimum}`)
      if (typeof maximum === 'number') need(value <= maximum, 'maximum', `must be <= ${maximum}`)
      if (typeof above === 'number') need(value > above, 'exclusiveMinimum', `must be > ${above}`)
      if (typeof below === 'number') need(value < below, 'exclusiveMaximum', `must be < ${below}`)
      if (typeof multipleOf === 'number')
        need(isMultiple(value, multipleOf), 'multipleOf', `must be multiple of ${multipleOf}`)
    } else if (typeof value === 'string') this.#text(schema, value, need)
    return isFit
  }

  #isAllowed(schema: Schema, keyword: 'enum' | 'const', value: unknown): boolean {
    const known = this.#allowed[keyword]
    let texts = known.get(schema)
    if (texts === undefined) {
      const values = keyword === 'enum' ? (schema[keyword] as unknown[]) : [schema[keyword]]
      known.set(schema, (texts = new Set(values.map(canonical))))
    }
    const text = canonical(value)
    this.#tools.meter.spend(text.length)
    return texts.has(text)
  }

  #text(schema: Schema, value: string, need: Need): void {
    const { minLength, maxLength, pattern, format } = schema
    if (typeof minLength === 'number' || typeof maxLength === 'number') {
      const length = [...value].length
      if (typeof minLength === 'number')
        need(length >= minLength, 'minLength', `must NOT have fewer than ${minLength} characters`)
      if (typeof maxLength === 'number')
        need(length <= maxLength, 'maxLength', `must NOT have more than ${maxLength} characters`)
    }
    if (typeof pattern === 'string')
      need(this.#tools.patternOf(pattern).test(value), 'pattern', `must match pattern "${pattern}"`)
    const isOfFormat = typeof format === 'string' ? this.#tools.formatOf(format) : null
    if (isOfFormat !== null)
      need(isOfFormat(value), 'format', `must match format "${String(format)}"`)
  }

  #references({ schema, resource, ...at }: Place): boolean {
    const { $ref: reference, $dynamicRef: dynamic } = schema
    const { document } = this.#tools
    let isFit = true
    if (typeof reference === 'string') {
      const target = document.resolve(reference, resource)
      isFit = this.#adopt(at, target.schema, target.resource)
    }
    if (typeof dynamic === 'string') {
      const { dynamicName: name, ...target } = document.resolve(dynamic, resource)
      const outermost =
        name === null ? undefined : this.#scope.find((each) => each.dynamicAnchors.has(name))
      isFit =
        this.#adopt(
          at,
          outermost === undefined ? target.schema : outermost.dynamicAnchors.get(name ?? ''),
          outermost ?? target.resource,
        ) && isFit
    }
    return isFit
  }

  #combined({ schema, resource, ...at }: Place): boolean {
    let isFit = true
    for (const each of listOf(schema['allOf'])) isFit = this.#adopt(at, each, resource) && isFit
    const anyOf = schema['anyOf']
    if (Array.isArray(anyOf)) {
      const before = this.errors.length
      // Each, although one is enough: which fields they look at counts.
      const fitting = anyOf.filter((each) => this.#adopt(at, each, resource)).length
      if (fitting > 0) this.errors.length = before
      else isFit = this.#no(at.path, 'anyOf', 'must match a schema in anyOf')
    }
    const oneOf = schema['oneOf']
    if (Array.isArray(oneOf)) {
      const before = this.errors.length
      const seen = oneOf.flatMap((each) => this.#try(at, each, resource) ?? [])
      const [only] = seen
      if (seen.length > 0) this.errors.length = before
      if (seen.length === 1 && only) at.seen.add(only)
      else isFit = this.#no(at.path, 'oneOf', 'must match exactly one schema in oneOf')
    }
    if (Object.hasOwn(schema, 'not') && this.#silently(at, schema['not'], resource) !== null)
      isFit = this.#no(at.path, 'not', 'must NOT be valid')
    if (Object.hasOwn(schema, 'if')) {
      const condition = this.#silently(at, schema['if'], resource)
      if (condition !== null) at.seen.add(condition)
      const branch = condition === null ? 'else' : 'then'
      if (Object.hasOwn(schema, branch)) isFit = this.#adopt(at, schema[branch], resource) && isFit
    }
    return isFit
  }

  #array({ schema, resource, holder, key, path, seen }: Place): boolean {
    const list = holder[key]
    if (!Array.isArray(list)) return true
    const { minItems, maxItems, prefixItems, uniqueItems } = schema
    let isFit = true
    if (typeof minItems === 'number' && list.length < minItems)
      isFit = this.#no(path, 'minItems', `must NOT have fewer than ${minItems} items`)
    if (typeof maxItems === 'number' && list.length > maxItems)
      isFit = this.#no(path, 'maxItems', `must NOT have more than ${maxItems} items`)
    if (uniqueItems === true && !this.#isUnique(list))
      isFit = this.#no(path, 'uniqueItems', 'must not hold the same element twice')
    const item = (each: unknown, place: number): boolean =>
      this.#check(each, resource, list as unknown as Holder, place, `${path}/${place}`) !== null
    const prefix = listOf(prefixItems)
    const inPrefix = Math.min(prefix.length, list.length)
    for (let place = 0; place < inPrefix; place++) isFit = item(prefix[place], place) && isFit
    seen.itemCount = Math.max(seen.itemCount, inPrefix)
    if (Object.hasOwn(schema, 'items')) {
      for (let place = prefix.length; place < list.length; place++)
        isFit = item(schema['items'], place) && isFit
      seen.hasAllItems = true
    }
    if (!Object.hasOwn(schema, 'contains')) return isFit
    return this.#contains({ schema, resource, holder, key, path, seen }, list) && isFit
  }

  #contains({ schema, resource, path, seen }: Place, list: unknown[]): boolean {
    const { contains, minContains = 1, maxContains = Infinity } = schema
    const before = this.errors.length
    let count = 0
    for (let place = 0; place < list.length; place++) {
      const holder = list as unknown as Holder
      if (this.#check(contains, resource, holder, place, `${path}/${place}`) === null) continue
      count++
      seen.items.add(place)
    }
    this.errors.length = before
    if (count >= (minContains as number) && count <= (maxContains as number)) return true
    const most = maxContains === Infinity ? '' : ` and no more than ${String(maxContains)}`
    return this.#no(
      path,
      'contains',
      `must contain at least ${String(minContains)}${most} valid item(s)`,
    )
  }

  #object({ schema, resource, holder, key, path, seen }: Place): boolean {
    const value = holder[key]
    if (!isObject(value)) return true
    const names = Object.keys(value)
    let isFit = this.#names(schema, value, names, path)
    const field = (each: unknown, name: string): void => {
      seen.fields.add(name)
      isFit = this.#check(each, resource, value, name, pathTo(path, name)) !== null && isFit
    }
    const { properties, patternProperties, dependentSchemas } = schema
    const others = new Set(names)
    if (isObject(properties))
      for (const name of names)
        if (Object.hasOwn(properties, name)) {
          others.delete(name)
          field(properties[name], name)
        }
    for (const [pattern, each] of Object.entries(
      isObject(patternProperties) ? patternProperties : {},
    )) {
      const compiled = this.#tools.patternOf(pattern)
      for (const name of names)
        if (compiled.test(name)) {
          others.delete(name)
          field(each, name)
        }
    }
    const { additionalProperties: additional } = schema
    for (const name of additional === undefined ? [] : others) {
      seen.fields.add(name)
      if (additional === false)
        isFit = this.#no(path, 'additionalProperties', '', { additionalProperty: name })
      else field(additional, name)
    }
    for (const [name, each] of Object.entries(isObject(dependentSchemas) ? dependentSchemas : {}))
      if (Object.hasOwn(value, name))
        isFit = this.#adopt({ holder, key, path, seen }, each, resource) && isFit
    if (Object.hasOwn(schema, 'propertyNames'))
      for (const name of names) {
        const before = this.errors.length
        if (this.#check(schema['propertyNames'], resource, { '': name }, '', path) !== null)
          continue
        this.errors.length = before
        isFit = this.#no(path, 'propertyNames', 'must have valid names of fields')
      }
    return isFit
  }

  #names(schema: Schema, value: Schema, names: string[], path: string): boolean {
    const { minProperties, maxProperties, required, dependentRequired } = schema
    let isFit = true
    if (typeof minProperties === 'number' && names.length < minProperties)
      isFit = this.#no(
        path,
        'minProperties',
        `must NOT have fewer than ${minProperties} properties`,
      )
    if (typeof maxProperties === 'number' && names.length > maxProperties)
      isFit = this.#no(path, 'maxProperties', `must NOT have more than ${maxProperties} properties`)
    const needed = [...listOf(required)]
    for (const [name, more] of Object.entries(isObject(dependentRequired) ? dependentRequired : {}))
      if (Object.hasOwn(value, name)) needed.push(...listOf(more))
    for (const name of needed as string[])
      if (!Object.hasOwn(value, name))
        isFit = this.#no(path, 'required', '', { missingProperty: name })
    return isFit
  }

  #unevaluated({ schema, resource, holder, key, path, seen }: Place): boolean {
    const value = holder[key]
    let isFit = true
    const inside = (keyword: string, holding: Holder, name: string | number): void => {
      const each = schema[keyword]
      if (each === false && keyword === 'unevaluatedProperties')
        isFit = this.#no(path, keyword, '', { unevaluatedProperty: name })
      else isFit = this.#check(each, resource, holding, name, pathTo(path, name)) !== null && isFit
    }
    if (Array.isArray(value) && Object.hasOwn(schema, 'unevaluatedItems')) {
      for (let place = 0; place < value.length; place++)
        if (!seen.hasItem(place)) inside('unevaluatedItems', value as unknown as Holder, place)
      seen.hasAllItems = true
    }
    if (isObject(value) && Object.hasOwn(schema, 'unevaluatedProperties')) {
      for (const name of Object.keys(value))
        if (!seen.hasField(name)) inside('unevaluatedProperties', value, name)
      seen.hasAllFields = true
    }
    return isFit
  }

  /** What it has looked at counts as looked at here. */
  #adopt(at: At, schema: unknown, resource: Resource): boolean {
    const seen = this.#try(at, schema, resource)
    if (seen !== null) at.seen.add(seen)
    return seen !== null
  }

  #try({ holder, key, path }: At, schema: unknown, resource: Resource): Evaluated | null {
    return this.#check(schema, resource, holder, key, path)
  }

  #silently(at: At, schema: unknown, resource: Resource): Evaluated | null {
    const before = this.errors.length
    const seen = this.#try(at, schema, resource)
    this.errors.length = before
    return seen
  }

  #isUnique(list: unknown[]): boolean {
    const seen = new Set<string>()
    return list.every((each) => {
      const text = canonical(each)
      this.#tools.meter.spend(text.length + slowness)
      return seen.size < seen.add(text).size
    })
  }

  #no(path: string, keyword: string, message: string, params: object = {}): false {
    this.errors.push({ instancePath: path, keyword, message, params, schemaPath: '' })
    return false
  }

  #fail(path: string, keyword: string, message: string): null {
    this.#no(path, keyword, message)
    return null
  }
}

interface At {
  readonly holder: Holder
  readonly key: string | number
  readonly path: string
  readonly seen: Evaluated
}

interface Place extends At {
  readonly schema: Schema
  readonly resource: Resource
}

type Need = (isKept: boolean, keyword: string, message: string, params?: object) => void

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const pathTo = (path: string, name: string | number): string =>
  `${path}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`

/** What is gone through one by one counts. */
const costOf = ({ required, properties, patternProperties }: Schema): number =>
  1 +
  listOf(required).length +
  (isObject(properties) ? Object.keys(properties).length : 0) +
  (isObject(patternProperties) ? Object.keys(patternProperties).length : 0)

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value)
    case 'number':
      return Number.isFinite(value)
    default:
      return typeof value === type
  }
}
