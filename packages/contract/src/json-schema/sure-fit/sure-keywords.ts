import { workKeyword } from '../measured-schema.ts'
import { everyKind, kinds, type Bounds, type NumberBounds } from './sure-part.ts'

export type Schema = Readonly<Record<string, unknown>>

/** Thrown where a schema asks for more than is understood here. */
export class NotUnderstood extends Error {
  override name = 'NotUnderstood'
}

/** They say nothing about what is valid. */
const notes = [
  workKeyword,
  '$schema',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
  'example',
  'examples',
  'discriminator',
  'xml',
  'externalDocs',
]
export const besideReference = new Set(['$ref', ...notes])
export const understood = new Set([
  ...notes,
  'type',
  'nullable',
  'enum',
  'const',
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'properties',
  'required',
  'additionalProperties',
  'minProperties',
  'maxProperties',
  'items',
  'minItems',
  'maxItems',
])

export const isSubset = (schema: Schema, names: ReadonlySet<string>): boolean =>
  Object.keys(schema).every((name) => names.has(name))

export function kindsOf({ type, nullable }: Schema): number {
  if (type === undefined) return everyKind
  let all = nullable === true ? kinds.null : 0
  for (const each of [type].flat() as (keyof typeof kinds)[])
    all |= each === 'number' ? kinds.number | kinds.integer : kinds[each]
  return all
}

export function allowedValues(schema: Schema): readonly unknown[] | undefined {
  const hasConst = Object.hasOwn(schema, 'const')
  if (schema['enum'] === undefined) return hasConst ? [schema['const']] : undefined
  if (hasConst) throw new NotUnderstood()
  return schema['enum'] as unknown[]
}

export function boundsOf(least: unknown, most: unknown): Bounds | null {
  if (least === undefined && most === undefined) return null
  return { least: (least ?? 0) as number, most: (most ?? Infinity) as number }
}

export function numberBounds({ minimum, maximum, ...more }: Schema): NumberBounds | null {
  const { exclusiveMinimum: above, exclusiveMaximum: below } = more
  if ([minimum, maximum, above, below].every((each) => each === undefined)) return null
  return {
    least: (minimum ?? -Infinity) as number,
    most: (maximum ?? Infinity) as number,
    above: (above ?? -Infinity) as number,
    below: (below ?? Infinity) as number,
  }
}
