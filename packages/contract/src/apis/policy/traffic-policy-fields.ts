import { z } from 'zod'
import { optionalInteger, text } from '../../kernel/fields.ts'

const units: Record<string, number> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
}

/** A number of bytes as people write it: `2048`, `512 KiB`, `10 MB`. Undefined if it is not a size. */
export function parseSize(typed: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,13})\s*([a-z]*)$/i.exec(typed.trim()) ?? []
  const factor = digits === '' ? undefined : units[unit.toLowerCase()]
  return factor === undefined ? undefined : Number(digits) * factor
}

const required = (label: string) => `The ${label} field is required.`

/** A whole number that may not be blank, as a number or as it was typed. */
export const requiredInteger = (label: string, min: number, max: number) =>
  optionalInteger(label, min, max)
    .refine((value) => value !== null, { error: required(label) })
    .transform((value) => value ?? min)

/** A size in bytes, as a number or as it was typed; see `parseSize`. */
export function requiredSize(label: string, min: number, max: number, range: string) {
  return text(30, label)
    .refine((value) => value !== '', { error: required(label), abort: true })
    .transform((value) => parseSize(value) ?? NaN)
    .refine((value) => value >= min && value <= max, {
      error: `The ${label} must be a size from ${range}, like 512 KiB or 10 MB.`,
    })
}

/** Several short texts: a list, or one text with commas, blanks or line breaks between them. Undefined where it is absent. */
export function textsIfGiven(label: string, maxItems: number) {
  const error = `The ${label} must be a list of texts.`
  return z
    .union([z.string().max(50_000), z.array(z.string().max(2_048)).max(1_000), z.null()], { error })
    .optional()
    .transform((value) => (typeof value === 'string' ? value.split(/[\s,]+/) : value))
    .transform((items) => (items === undefined ? undefined : distinct(items ?? [])))
    .refine((items) => (items?.length ?? 0) <= maxItems, {
      error: `The ${label} may not hold more than ${maxItems} entries.`,
    })
}

const distinct = (items: readonly string[]) => [
  ...new Set(items.map((item) => item.trim()).filter(Boolean)),
]

/** The same; absent is none. */
export const textList = (label: string, maxItems: number) =>
  textsIfGiven(label, maxItems).transform((items) => items ?? [])

/** What is switched off comes as null, as blank, or not at all. */
export const offOr = <T extends z.ZodType>(part: T) =>
  // A union would not name the field: it reports the problems of every member at once.
  z.preprocess(
    (value) => (value === '' || value === undefined ? null : value),
    part.nullable(),
  ) as unknown as z.ZodType<z.output<T> | null, z.input<T> | '' | null | undefined>
