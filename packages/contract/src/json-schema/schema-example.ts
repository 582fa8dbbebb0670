/**
 * The `./schema-example` entry: an example of what fits a JSON Schema. The server publishes it as the answer of an
 * endpoint that is mocked, the form of an endpoint shows it. The same schema gives the same text each time.
 */
import {
  LosslessNumber,
  isExactObject,
  objectFrom,
  ownValue,
  parseExact,
  stringifyExact,
  type ExactJson,
  type ExactObject,
} from '../mapping/exact/exact-json.ts'

/** Schemas that one example looks at, and how deep they may lie in each other. */
const visitedMax = 2_000
const depthMax = 16
const textMax = 262_144
const itemsMax = 10
const lengthMax = 1_000

/** Undefined where the schema is no JSON object, or its example would be longer than 256 Ki characters. */
export function exampleOfSchema(schema: string): string | undefined {
  try {
    const root = parseExact(schema)
    if (!isExactObject(root)) return undefined
    const text = stringifyExact(new Example(root).of(root, 0) ?? null, 2)
    // In JSON both occur together only within a string. A custom output would take them for a placeholder.
    return text.length > textMax ? undefined : text.replaceAll('{{', '{\\u007b')
  } catch {
    return undefined
  }
}

const stringsOf: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'name@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  'uri-reference': '/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

class Example {
  readonly #root: ExactObject
  #visited = 0

  constructor(root: ExactObject) {
    this.#root = root
  }

  /** Undefined: none within the bounds. */
  of(schema: ExactJson | undefined, depth: number): ExactJson | undefined {
    if (++this.#visited > visitedMax || depth > depthMax) return undefined
    if (schema === undefined || !isExactObject(schema)) return null
    const given = givenOf(schema)
    if (given !== undefined) return given
    const { $ref } = schema
    if (typeof $ref === 'string') return this.of(this.#target($ref), depth + 1)
    for (const choice of [schema['oneOf'], schema['anyOf']]) {
      if (Array.isArray(choice)) return this.of(choice[0], depth + 1)
    }
    return this.#typed(schema, depth)
  }

  #typed(schema: ExactObject, depth: number): ExactJson | undefined {
    const { allOf } = schema
    if (Array.isArray(allOf)) return this.#all(schema, allOf, depth)
    switch (typeOf(schema)) {
      case 'object':
        return this.#object(schema, depth)
      case 'array':
        return this.#array(schema, depth)
      case 'string':
        return stringOf(schema)
      case 'integer':
      case 'number':
        return new LosslessNumber(String(numberOf(schema)))
      case 'boolean':
        return true
      default:
        return null
    }
  }

  /** Objects are put together; of others the first counts. */
  #all(schema: ExactObject, parts: readonly ExactJson[], depth: number): ExactJson | undefined {
    const own = objectFrom(Object.entries(schema).filter(([name]) => name !== 'allOf'))
    const values = [...parts, own].map((part) => this.of(part, depth + 1))
    const objects = values.filter((value) => value !== undefined && isExactObject(value))
    if (objects.length === 0) return values.find((value) => value !== undefined && value !== null)
    return objectFrom(objects.flatMap((value) => Object.entries(value)))
  }

  #object(schema: ExactObject, depth: number): ExactObject {
    const properties = schema['properties']
    if (properties === undefined || !isExactObject(properties)) return objectFrom([])
    return objectFrom(
      Object.entries(properties).flatMap(([name, property]): [string, ExactJson][] => {
        if (isExactObject(property) && property['writeOnly'] === true) return []
        const value = this.of(property, depth + 1)
        return value === undefined ? [] : [[name, value]]
      }),
    )
  }

  #array(schema: ExactObject, depth: number): ExactJson[] {
    const { prefixItems, items } = schema
    const first = Array.isArray(prefixItems) ? prefixItems : []
    const most = Math.min(numberIn(schema, 'maxItems') ?? itemsMax, itemsMax)
    const wanted = Math.max(first.length, numberIn(schema, 'minItems') ?? 1)
    const length = items === false ? first.length : Math.min(wanted, most)
    return Array.from({ length }, (_, at) => this.of(first[at] ?? items, depth + 1)).flatMap(
      (value) => (value === undefined ? [] : [value]),
    )
  }

  /** What a reference within the document leads to (RFC 6901). */
  #target(reference: string): ExactJson | undefined {
    if (!reference.startsWith('#')) return undefined
    let at: ExactJson | undefined = this.#root
    for (const part of decodeURIComponent(reference).split('/').slice(1)) {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
      at = Array.isArray(at)
        ? at[Number(name)]
        : at !== undefined && isExactObject(at)
          ? ownValue(at, name)
          : undefined
    }
    return at
  }
}

/** What the schema itself names. */
function givenOf(schema: ExactObject): ExactJson | undefined {
  const firstOf = (list: ExactJson | undefined) => (Array.isArray(list) ? list[0] : undefined)
  return (
    schema['const'] ??
    schema['example'] ??
    firstOf(schema['examples']) ??
    schema['default'] ??
    firstOf(schema['enum'])
  )
}

function typeOf(schema: ExactObject): string {
  const { type } = schema
  const named = [type].flat().find((each) => typeof each === 'string' && each !== 'null')
  if (typeof named === 'string') return named
  if (type !== undefined) return 'null'
  if (schema['properties'] !== undefined) return 'object'
  return schema['items'] !== undefined || schema['prefixItems'] !== undefined ? 'array' : 'null'
}

function stringOf(schema: ExactObject): string {
  const { format } = schema
  const text = (typeof format === 'string' ? stringsOf[format] : undefined) ?? 'text'
  const least = Math.min(numberIn(schema, 'minLength') ?? 0, lengthMax)
  return text.padEnd(least, 'x').slice(0, numberIn(schema, 'maxLength') ?? lengthMax)
}

/** The smallest that is allowed and not below 0, or the largest below. */
function numberOf(schema: ExactObject): number {
  const step = numberIn(schema, 'multipleOf') ?? 1
  const above = numberIn(schema, 'exclusiveMinimum')
  const least = Math.max(
    numberIn(schema, 'minimum') ?? 0,
    above === undefined ? 0 : above + (Number.isInteger(step) ? 1 : step),
  )
  const below = numberIn(schema, 'exclusiveMaximum')
  const most = numberIn(schema, 'maximum') ?? (below === undefined ? least : below - step)
  return most < least ? Math.floor(most / step) * step : Math.ceil(least / step) * step
}

function numberIn(schema: ExactObject, name: string): number | undefined {
  const value = schema[name]
  const number = value instanceof LosslessNumber ? Number(value.value) : NaN
  return Number.isFinite(number) ? number : undefined
}
