import { workKeyword } from '../measured-schema.ts'
import { allowedValues, besideReference, boundsOf, isSubset } from './sure-keywords.ts'
import { kindsOf, NotUnderstood, numberBounds, understood, type Schema } from './sure-keywords.ts'
import { kinds, SurePart, type SureField, type TextCheck } from './sure-part.ts'
import { hashOf } from './written-json.ts'

/** Compile what a text has to be. */
type TextChecks = Readonly<Record<'pattern' | 'format', (written: string) => TextCheck>>

const any = new SurePart()
const encoder = new TextEncoder()

export interface SureSchema {
  readonly root: SurePart
  /** Parts that may look at one value: those of `$ref`, and what they lead to. */
  readonly looks: number
}

/**
 * What values have to be to fit a measured schema for sure; undefined where it has a keyword that is not understood
 * here.
 */
export function compileSureSchema(schema: object, textChecks: TextChecks): SureSchema | undefined {
  try {
    return new SureCompiler(schema, textChecks).compile()
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined
    throw error
  }
}

class SureCompiler {
  readonly #root: object
  readonly #textChecks: TextChecks
  readonly #parts = new Map<object, SurePart>()

  constructor(root: object, textChecks: TextChecks) {
    this.#root = root
    this.#textChecks = textChecks
  }

  compile(): SureSchema {
    const root = this.#part(this.#root)
    const references = [...this.#parts.values()].map((part) => part.references)
    return { root, looks: 1 + Math.max(...references) }
  }

  #part(schema: unknown): SurePart {
    if (schema === undefined || schema === true) return any
    if (typeof schema !== 'object' || schema === null) throw new NotUnderstood()
    const known = this.#parts.get(schema)
    if (known !== undefined) return known
    const part = new SurePart()
    this.#parts.set(schema, part)
    const { $ref: reference, [workKeyword]: cost } = schema as Schema
    // A reference may lead to what is no part.
    if (typeof cost !== 'number') throw new NotUnderstood()
    part.cost = cost
    if (typeof reference === 'string') this.#refer(part, schema as Schema, reference)
    else this.#fill(part, schema as Schema)
    return part
  }

  #refer(part: SurePart, schema: Schema, reference: string): void {
    if (!isSubset(schema, besideReference)) throw new NotUnderstood()
    const target = this.#part(this.#referred(reference))
    // Its target is itself, or not known yet: references in a circle.
    for (let next: SurePart | null = target; next !== null; next = next.target)
      if (next === part) throw new NotUnderstood()
    part.target = target
    part.references = target.references + 1
  }

  #referred(reference: string): unknown {
    if (!/^#(?:\/[^%]*)?$/.test(reference)) throw new NotUnderstood()
    let value: unknown = this.#root
    for (const step of reference.split('/').slice(1)) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
        throw new NotUnderstood()
      value = (value as Schema)[name]
    }
    return value
  }

  #fill(part: SurePart, schema: Schema): void {
    if (!isSubset(schema, understood)) throw new NotUnderstood()
    part.kinds = kindsOf(schema)
    part.number = numberBounds(schema)
    this.#fillText(part, schema)
    this.#fillFields(part, schema)
    part.items = this.#part(schema['items'])
    part.itemCount = boundsOf(schema['minItems'], schema['maxItems'])
  }

  #fillText(part: SurePart, schema: Schema): void {
    for (const keyword of ['pattern', 'format'] as const) {
      const written = schema[keyword]
      if (typeof written === 'string') part.textChecks.push(this.#textChecks[keyword](written))
    }
    part.textLength = boundsOf(schema['minLength'], schema['maxLength'])
    const allowed = allowedValues(schema)
    if (allowed === undefined) return
    const texts = new Map<number, Uint8Array>()
    let allowedKinds = 0
    for (const value of allowed) {
      if (value === null) allowedKinds |= kinds.null
      else if (typeof value === 'string') {
        allowedKinds |= kinds.string
        const bytes = encoded(value)
        put(texts, hashOf(bytes, 0, bytes.length), bytes)
      } else throw new NotUnderstood()
    }
    part.texts = texts
    part.kinds &= allowedKinds
  }

  #fillFields(part: SurePart, schema: Schema): void {
    const properties = (schema['properties'] ?? {}) as Schema
    const required = new Set((schema['required'] ?? []) as string[])
    const additional = schema['additionalProperties']
    part.others = additional === false ? null : this.#part(additional)
    const fields = new Map<number, SureField>()
    for (const key of new Set([...Object.keys(properties), ...required])) {
      const value = Object.hasOwn(properties, key) ? this.#part(properties[key]) : part.others
      // ajv passes over a property of this name.
      if (value === null || key === '__proto__') throw new NotUnderstood()
      const name = encoded(key)
      const hash = hashOf(name, 0, name.length)
      put(fields, hash, {
        name,
        start: encoded(`${JSON.stringify(key)}:`),
        hash,
        index: fields.size,
        part: value,
        isRequired: required.has(key),
      })
    }
    part.fields = [...fields.values()]
    part.fieldByHash = fields
    part.requiredCount = required.size
    part.fieldCount = boundsOf(schema['minProperties'], schema['maxProperties'])
  }
}

/** Half of a pair of surrogates can't be written in UTF-8. */
function encoded(text: string): Uint8Array {
  if (!text.isWellFormed()) throw new NotUnderstood()
  return encoder.encode(text)
}

function put<Value>(map: Map<number, Value>, hash: number, value: Value): void {
  if (map.has(hash)) throw new NotUnderstood()
  map.set(hash, value)
}
