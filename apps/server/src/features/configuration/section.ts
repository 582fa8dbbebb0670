import type { z } from 'zod'
import type { Kind } from './references.ts'
import type { OwnApi } from './own-api.ts'
import type { SecretPlace, Value } from './values.ts'

/** A thing of the installation. Its value has ids, and no secrets. */
export interface StoredThing {
  id: number
  name: string
  value: Value
  secrets: SecretPlace[]
}

/** One kind of things, as the document names it. */
export interface Section {
  name: string
  /** Fields that a thing may have in the document; a test holds them to the contract. */
  fields: readonly string[]
  read: (api: OwnApi) => Promise<StoredThing[]>
  /** Where a value that was given may have secrets. */
  secretsOf: (value: Value) => SecretPlace[]
  /** Its things refer to none of other sections, and none is needed to compare them. */
  isAlone?: true
  /** Absent: the thing comes with another one. */
  create?: (value: Value, name: string) => Call
  update: (id: number, value: Value, name: string) => Call
  /** Absent: it goes with another one. */
  remove?: (id: number) => string
  /** Without `create`: the id is that of the thing of this kind with the same name. */
  ownedBy?: Kind
  /** What a thing with this value is called; undefined where the value does not say. */
  nameIn?: (value: Value) => string | undefined
  /** Takes over what is no setting but changes as the thing works. */
  keepState?: (current: Value, wanted: Value) => void
  /** The id in the answer to a create. */
  idIn?: (answer: unknown) => number
}

interface Call {
  method: 'POST' | 'PUT'
  url: string
  body: Value
}

type Shaped = z.ZodType & { shape?: object; def?: { in?: z.ZodType } }

/** The names of the fields that a schema of the contract takes, but for these. */
export function fieldsOf(schema: z.ZodType, without: readonly string[] = []): string[] {
  const { shape, def } = schema as Shaped
  if (shape) return Object.keys(shape).filter((name) => !without.includes(name))
  if (def?.in) return fieldsOf(def.in, without)
  throw new Error('This schema has no fields.')
}

/** These fields of a record. Throws where the record lacks one: it would be lost. */
export function pick(record: Value, fields: readonly string[]): Value {
  return Object.fromEntries(
    fields.map((field) => {
      if (!Object.hasOwn(record, field)) throw new Error(`A record has no field ${field}.`)
      return [field, record[field]]
    }),
  )
}

/** With spaces between; undefined where one is no text. */
export const joinedTexts = (parts: readonly unknown[]): string | undefined =>
  parts.every((part) => typeof part === 'string') ? parts.join(' ') : undefined
