/** Kinds of written values. A number without a fraction is an `integer`. */
export const kinds = {
  null: 1,
  boolean: 2,
  integer: 4,
  number: 8,
  string: 16,
  array: 32,
  object: 64,
} as const
export const everyKind = 127

export interface Bounds {
  readonly least: number
  readonly most: number
}

export interface NumberBounds extends Bounds {
  readonly above: number
  readonly below: number
}

export interface SureField {
  readonly name: Uint8Array
  /** The name as it is mostly written, up to its value. */
  readonly start: Uint8Array
  readonly hash: number
  /** Its place in the schema. */
  readonly index: number
  readonly part: SurePart
  readonly isRequired: boolean
}

export type TextCheck = (text: string) => boolean

const noFields: ReadonlyMap<number, SureField> = new Map()

/** What a written value has to be to fit a part of a schema for sure. As it is made, every value fits. */
export class SurePart {
  /** Steps that looking at it takes; see `WorkMeter`. */
  cost = 0
  kinds = everyKind
  /** What `$ref` stands for, and how many of them lead to a part that is none. */
  target: SurePart | null = null
  references = 0
  /** Texts that are allowed, by their hashes. */
  texts: ReadonlyMap<number, Uint8Array> | null = null
  /** In characters. */
  textLength: Bounds | null = null
  readonly textChecks: TextCheck[] = []
  number: NumberBounds | null = null
  /** In the order of the schema, in which they mostly come. */
  fields: readonly SureField[] = []
  fieldByHash: ReadonlyMap<number, SureField> = noFields
  requiredCount = 0
  /** Of fields that are not named; null: there may be none. */
  others: SurePart | null = this
  fieldCount: Bounds | null = null
  items: SurePart = this
  itemCount: Bounds | null = null
}

export const isWithin = ({ least, most }: Bounds, number: number): boolean =>
  number >= least && number <= most
