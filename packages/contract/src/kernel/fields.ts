import { z } from 'zod'

/** A form field: anything absent or null counts as blank; outer white space does not count. */
export function text(maxLength: number, label: string) {
  return z
    .union([z.string(), z.number(), z.null()], { error: `The ${label} must be text.` })
    .optional()
    .transform((value) => String(value ?? '').trim())
    .refine((value) => value.length <= maxLength, {
      error: `The ${label} may not be longer than ${maxLength} characters.`,
    })
    .refine((value) => !/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(value), {
      error: `The ${label} may not contain control characters.`,
    })
}

export function requiredText(maxLength: number, label: string) {
  return text(maxLength, label).refine((value) => value !== '', {
    error: `The ${label} field is required.`,
  })
}

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

/** A whole number, as a number or as it was typed; blank is null. */
export function optionalInteger(label: string, min: number, max: number) {
  const error = `The ${label} must be a whole number from ${min} to ${max}.`
  const isWithin = (value: number) => value >= min && value <= max
  return z
    .union([z.string(), z.number(), z.null()], { error })
    .optional()
    .transform((value) => String(value ?? '').trim())
    .refine((value) => value === '' || (/^\d{1,9}$/.test(value) && isWithin(Number(value))), {
      error,
    })
    .transform((value) => (value === '' ? null : Number(value)))
}

// wire: the spec's own forms mix true/false, 0/1, "0"/"1", "true"/"false" and leave flags blank.
export const flag = z
  .union([z.boolean(), z.literal([0, 1, '0', '1', 'true', 'false', '']), z.null()], {
    error: 'Use true or false.',
  })
  .optional()
  .transform((value) => value === true || value === 1 || value === '1' || value === 'true')
