import { isObject, lists, maps, oneSchema, type Schema } from './standard/schema-places.ts'

export const workKeyword = 'x-gatehouse-work'

/** Parts of a schema, and how deep they are inside one another. */
const partsMax = 5_000
const depthMax = 32

/** Of OpenAPI 3.0; ajv wants a type beside it. */
const isNullable = ({ nullable, type }: Schema) => nullable === true && type !== undefined

/**
 * A copy in which each part of the schema says what looking at it costs. Throws where there are too many
 * parts.
 */
export function measuredSchema(schema: object): object {
  let parts = 0
  const part = (value: unknown, depth: number): unknown => {
    if (!isObject(value)) return value
    if (++parts > partsMax) throw new Error(`It has more than ${partsMax} parts.`)
    if (depth > depthMax) throw new Error(`Its parts are more than ${depthMax} levels deep.`)
    const copy: Schema = { ...value, [workKeyword]: costOf(value) }
    if (!isNullable(value)) delete copy['nullable']
    for (const name of oneSchema)
      if (Object.hasOwn(copy, name)) copy[name] = part(copy[name], depth + 1)
    for (const name of lists) {
      const list = copy[name]
      if (Array.isArray(list)) copy[name] = list.map((each) => part(each, depth + 1))
    }
    for (const name of maps) {
      const map = copy[name]
      if (isObject(map))
        copy[name] = Object.fromEntries(
          Object.entries(map).map(([key, each]) => [key, part(each, depth + 1)]),
        )
    }
    return copy
  }
  return part(schema, 0) as object
}

/** What is compared one by one counts. */
const costOf = ({ enum: values, required, properties }: Schema): number =>
  1 +
  (Array.isArray(values) ? values.length : 0) +
  (Array.isArray(required) ? required.length : 0) +
  (isObject(properties) ? Object.keys(properties).length : 0)
