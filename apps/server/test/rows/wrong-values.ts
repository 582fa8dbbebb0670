import { z } from 'zod'

/** What a field can't be, or is only by luck. */
const wrongValues: readonly unknown[] = [
  7,
  -1.5,
  2 ** 31,
  Number.MAX_SAFE_INTEGER,
  1e300,
  true,
  null,
  '',
  {},
  { url: {} },
  { toString: 1 },
  [],
  [{}],
  [[null]],
  JSON.parse('['.repeat(30) + ']'.repeat(30)),
  'x'.repeat(20_000),
  'a\u0000b',
  '\ud800',
  '__proto__',
]

/** The most telling of them, for places within others: there are thousands. */
const fewWrongValues: readonly unknown[] = [7, null, []]

/** In place of a value: its field is missing. */
const missing = Symbol('missing')

type Json = z.core.JSONSchema.BaseSchema
type Place = readonly (string | number)[]

/** A value by the shape of a schema, for each alternative that it has at one place or another. */
export function samplesOf(schema: unknown): unknown[] {
  return samples(z.toJSONSchema(schema as z.ZodType, { io: 'input', unrepresentable: 'any' }))
}

function samples(json: Json): unknown[] {
  const alternatives = [...(json.anyOf ?? []), ...(json.oneOf ?? []), ...(json.allOf ?? [])]
  if (alternatives.length > 0)
    return alternatives.flatMap((each) => (typeof each === 'object' ? samples(each) : []))
  if (json.const !== undefined) return [json.const]
  if (json.enum !== undefined) return [json.enum[0]]
  if (json.type === 'object' || json.properties) return objects(json.properties ?? {})
  if (json.type === 'array') {
    const [items = {}] = [json.items].flat()
    return typeof items === 'object' ? samples(items).map((each) => [each]) : [[]]
  }
  if (json.type === 'integer' || json.type === 'number') return [1]
  if (json.type === 'boolean') return [true]
  return [json.type === 'null' ? null : 'x']
}

/** Each alternative of each field once, and not each combination of them. */
function objects(properties: Record<string, unknown>): unknown[] {
  const all = Object.entries(properties).map(
    ([name, json]) => [name, samples(json as Json)] as const,
  )
  const count = Math.max(1, ...all.map(([, each]) => each.length))
  return Array.from({ length: count }, (_, at) =>
    Object.fromEntries(all.map(([name, each]) => [name, each[at % each.length]])),
  )
}

/** The whole, and each place of each of these bodies, replaced by every wrong value, and left out. */
export function* wrongVersionsOf(bodies: readonly unknown[]): Generator {
  yield* wrongValues
  const seen = new Set<string>()
  for (const body of bodies)
    for (const place of placesIn(body)) {
      const key = place.join('/')
      if (seen.has(key)) continue
      seen.add(key)
      const values = place.length === 1 ? wrongValues : fewWrongValues
      for (const value of [missing, ...values]) yield replaced(body, place, value)
    }
}

function placesIn(value: unknown, place: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return place.length === 0 ? [] : [place]
  const below = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  const inner = below.flatMap(([key, each]) => placesIn(each, [...place, key]))
  return place.length === 0 ? inner : [place, ...inner]
}

/** A copy; what the place does not lead through is shared. */
function replaced(body: unknown, [key, ...rest]: Place, value: unknown): unknown {
  if (key === undefined) return value
  const copy = (Array.isArray(body) ? [...body] : { ...(body as object) }) as Record<
    string,
    unknown
  >
  if (rest.length === 0 && value === missing) delete copy[key]
  else copy[key] = replaced(copy[key], rest, value)
  return copy
}

const wrongTexts = [
  '',
  '0',
  '-1',
  '1.5',
  '1e9',
  '2147483647',
  '2147483648',
  '99999999999999999999',
  'null',
  'x',
  '%',
  "'; --",
  '\u0000',
  '\ufffd',
  '__proto__',
  'x'.repeat(2_000),
]

/** Of a query or of a path: each field alone with a wrong text, and twice. The others are a text or absent. */
export function* wrongTextsOf(schema: unknown): Generator<Record<string, string | string[]>> {
  const [sample = {}] = samplesOf(schema) as Record<string, unknown>[]
  const others = Object.fromEntries(Object.keys(sample).map((name) => [name, '999999']))
  for (const name of Object.keys(sample))
    for (const value of [...wrongTexts, ['1', '2']]) {
      yield { [name]: value }
      yield { ...others, [name]: value }
    }
}
