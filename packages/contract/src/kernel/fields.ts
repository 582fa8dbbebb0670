import { z } from 'zod'
import { hasTooManyMarks, normalFormOf } from './normal-form.ts'

/**
 * What can't be seen, or makes text look like other text: control characters, zero-width and
 * direction-changing signs, halves of surrogate pairs. Joiners stay: scripts and emoji need them.
 */
const invisible = /[\p{Cc}\u200b\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff]|\p{Surrogate}/u
/** Joiners and fillers alone show nothing. */
const isBlank = (value: string) => !/[^\p{Default_Ignorable_Code_Point}\s]/u.test(value)
const lineBreaks = /[\t\r\n]/g

/** Ids are counted up from 1 in 32 bits; a greater number names nothing. */
export const idMax = 2_147_483_647

export const isId = (value: number): boolean =>
  Number.isSafeInteger(value) && value > 0 && value <= idMax

/** Composing shortens a text to a quarter of its length at most. */
const composedMin = 4

/**
 * A form field: anything absent or null counts as blank; outer white space does not count. Composed
 * alike (NFC), so that what looks the same is the same. A text that is too long is not read any further.
 */
export function text(maxLength: number, label: string, { isMultiline = false } = {}) {
  return z
    .union([z.string(), z.number(), z.null()], { error: `The ${label} must be text.` })
    .optional()
    .transform((value) => {
      const typed = String(value ?? '').trim()
      return typed.length > maxLength * composedMin ? typed : normalFormOf(typed, 'NFC').trim()
    })
    .refine((value) => value.length <= maxLength, {
      error: `The ${label} may not be longer than ${maxLength} characters.`,
    })
    .refine((value) => value.length > maxLength || isShown(value, isMultiline), {
      error: `The ${label} may not contain control or invisible characters.`,
    })
}

const isShown = (value: string, isMultiline: boolean) =>
  !hasTooManyMarks(value) && !invisible.test(isMultiline ? value.replace(lineBreaks, '') : value)

export function requiredText(
  maxLength: number,
  label: string,
  options?: { isMultiline?: boolean },
) {
  return text(maxLength, label, options).refine((value) => !isBlank(value), {
    error: `The ${label} field is required.`,
  })
}

/** A secret, taken as typed. Absent or blank keeps the stored one; it is never sent back. */
export const typedSecret = (maxLength: number, label: string) =>
  z
    .union([z.string(), z.null()], { error: `The ${label} must be text.` })
    .optional()
    .transform((value) => value ?? '')
    .refine((value) => value.length <= maxLength, {
      error: `The ${label} may not be longer than ${maxLength} characters.`,
    })

/** One of a fixed set of words; case and outer white space do not count. */
export function choice<const C extends readonly [string, ...string[]]>(choices: C, label: string) {
  return text(100, label)
    .transform((value) => value.toLowerCase())
    .refine((value) => value !== '', { error: `The ${label} field is required.` })
    .refine((value) => value === '' || choices.includes(value), {
      error: `The ${label} must be one of: ${choices.join(', ')}.`,
    })
    .transform((value) => value as C[number])
}

/** A whole number, as a number or as it was typed; blank is null. Undefined where it is absent. */
export function integerIfGiven(label: string, min: number, max: number) {
  const error = `The ${label} must be a whole number from ${min} to ${max}.`
  const isWithin = (value: number) => value >= min && value <= max
  return z
    .union([z.string(), z.number(), z.null()], { error })
    .optional()
    .transform((value) => (value === undefined ? undefined : String(value ?? '').trim()))
    .refine((value) => !value || (/^\d{1,9}$/.test(value) && isWithin(Number(value))), { error })
    .transform((value) => {
      if (value === undefined) return undefined
      return value === '' ? null : Number(value)
    })
}

/** The same; absent is null too. */
export const optionalInteger = (label: string, min: number, max: number) =>
  integerIfGiven(label, min, max).transform((value) => value ?? null)

/** The version that a form was loaded with; blank saves over any. */
export const version = z
  .union([z.number(), z.string(), z.null()], { error: 'The version must be a whole number.' })
  .optional()
  .transform((value) =>
    value === undefined || value === null || value === '' ? undefined : Number(value),
  )
  .refine((value) => value === undefined || Number.isSafeInteger(value), {
    error: 'The version must be a whole number.',
  })

// wire: the spec's own forms mix true/false, 0/1, "0"/"1", "true"/"false" and leave flags blank.
const givenFlag = z
  .union([z.boolean(), z.literal([0, 1, '0', '1', 'true', 'false', '']), z.null()], {
    error: 'Use true or false.',
  })
  .optional()

const isOn = (value: z.output<typeof givenFlag>) =>
  value === true || value === 1 || value === '1' || value === 'true'

/** Absent, null and blank mean no. */
export const flag = givenFlag.transform(isOn)

/** Undefined where it is absent. Null and blank mean no. */
export const optionalFlag = givenFlag.transform((value) =>
  value === undefined ? undefined : isOn(value),
)

/** Sends although the installation is held (`installation.held`). */
export const confirmHeld = flag

/**
 * An object with these fields and no others. An unknown field is refused instead of dropped: it may be
 * a misspelt one that decides where a document goes. Each unknown field is an error of its own.
 */
export function strictFields<const S extends z.ZodRawShape>(shape: S) {
  const known = Object.keys(shape).join(', ')
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? `There is no such field here. Known are ${known}.` : undefined,
  })
}

/** A day or a moment of a filter, ISO 8601, UTC. */
export const moment = z.iso.date().or(z.iso.datetime())
