import type { Value } from './values.ts'

/** What ids lead to. */
export type Kind = 'api' | 'endpoint' | 'workflow' | 'lane' | 'channel' | 'role'

/** Fields with ids, and what they are called in the document, where they hold names. */
const references: Readonly<Record<string, readonly [as: string, kind: Kind]>> = {
  api_id: ['api', 'api'],
  endpoint_id: ['endpoint', 'endpoint'],
  workflow_id: ['workflow', 'workflow'],
  workflow_ids: ['workflows', 'workflow'],
  lane_ids: ['lanes', 'lane'],
  api_ids: ['apis', 'api'],
  ids: ['names', 'channel'],
  escalation_ids: ['escalation', 'channel'],
  endpoint_ids: ['endpoints', 'endpoint'],
  role_id: ['role', 'role'],
}

const fieldOfName = new Map(
  Object.entries(references).map(([field, [as, kind]]) => [as, { field, kind }]),
)

/** What a field of a value is called in the document. */
export const nameOfField = (field: string): string =>
  Object.hasOwn(references, field) ? references[field]![0] : field

/** A name that nothing has. */
export class UnknownName extends Error {
  override name = 'UnknownName'
  readonly kind: Kind
  readonly wanted: string
  readonly keys: (string | number)[]

  constructor(kind: Kind, wanted: string, keys: (string | number)[]) {
    super(`There is no ${kind === 'api' ? 'API' : kind} ${wanted}.`)
    this.kind = kind
    this.wanted = wanted
    this.keys = keys
  }
}

/** The names of things, and their ids. */
export class Names {
  readonly #ids = new Map<Kind, Map<string, number>>()
  readonly #names = new Map<Kind, Map<number, string>>()

  add(kind: Kind, name: string, id: number): void {
    this.#of(this.#ids, kind).set(name, id)
    this.#of(this.#names, kind).set(id, name)
  }

  idOf(kind: Kind, name: string): number | undefined {
    return this.#ids.get(kind)?.get(name)
  }

  /** A value with names instead of ids. What no name is known of is left out of lists, and null elsewhere. */
  toNames(value: unknown): unknown {
    return this.#mapped(value, (field, given) => {
      const reference = Object.hasOwn(references, field) ? references[field] : undefined
      if (!reference) return undefined
      const [as, kind] = reference
      const known = this.#names.get(kind)
      if (Array.isArray(given))
        return [as, given.flatMap((id) => known?.get(Number(id)) ?? []).toSorted()]
      return [as, known?.get(Number(given)) ?? null]
    })
  }

  /** The other way. Throws `UnknownName`, with the way to it. */
  toIds(value: unknown): unknown {
    return this.#mapped(value, (field, given, keys) => {
      const reference = fieldOfName.get(field)
      if (!reference) return undefined
      const idOf = (name: unknown, way: (string | number)[]) => {
        const id = typeof name === 'string' ? this.idOf(reference.kind, name) : undefined
        if (id === undefined) throw new UnknownName(reference.kind, String(name), way)
        return id
      }
      if (Array.isArray(given))
        return [reference.field, given.map((name, at) => idOf(name, [...keys, at]))]
      return [reference.field, given === null || given === '' ? null : idOf(given, keys)]
    })
  }

  #mapped(
    value: unknown,
    replace: (
      field: string,
      given: unknown,
      keys: (string | number)[],
    ) => [string, unknown] | undefined,
    keys: (string | number)[] = [],
  ): unknown {
    if (Array.isArray(value))
      return value.map((each, at) => this.#mapped(each, replace, [...keys, at]))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value as Value).map(([field, given]): [string, unknown] => {
        const way = [...keys, field]
        return replace(field, given, way) ?? [field, this.#mapped(given, replace, way)]
      }),
    )
  }

  #of<K, V>(maps: Map<Kind, Map<K, V>>, kind: Kind): Map<K, V> {
    const found = maps.get(kind) ?? new Map<K, V>()
    maps.set(kind, found)
    return found
  }
}
