/** Where a schema has schemas inside (JSON Schema 2020-12, core §10 and §11; `definitions` is what `$defs` was). */
export const oneSchema: readonly string[] = [
  'items',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
]
export const lists: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
export const maps: readonly string[] = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
]

export type Schema = Record<string, unknown>

export const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Each schema right inside this one. What else an object holds is data, or is ignored. */
export function* schemasIn(schema: Schema): Generator {
  for (const name of oneSchema) if (Object.hasOwn(schema, name)) yield schema[name]
  for (const name of lists) {
    const list = Object.hasOwn(schema, name) ? schema[name] : undefined
    if (Array.isArray(list)) yield* list
  }
  for (const name of maps) {
    const map = Object.hasOwn(schema, name) ? schema[name] : undefined
    if (isObject(map)) yield* Object.values(map)
  }
}
