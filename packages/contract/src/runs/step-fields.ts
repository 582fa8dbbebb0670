import { z } from 'zod'
import { isId, text } from '../kernel/fields.ts'

/** Limits of one step's body (spec: bundles). */
const stepBodyMaxBytes = 1024 * 1024

/** An endpoint of a bundle; blank where the bundle is shorter. Null stands for none. */
export const optionalEndpoint = z
  .union([z.number(), z.string(), z.null()], { error: 'Choose an endpoint from the list.' })
  .optional()
  .transform((value) => {
    const isBlank = value === undefined || value === null || value === ''
    return isBlank ? null : Number(value)
  })
  .refine((value) => value === null || isId(value), {
    error: 'Choose an endpoint from the list.',
  })

/** JSON text as it was typed, or blank; it goes out to the byte where nothing maps it. */
export const stepBody = z
  .union([z.string(), z.null()], { error: 'The body must be JSON text.' })
  .optional()
  .transform((value) => value ?? '')
  .refine((value) => new TextEncoder().encode(value).length <= stepBodyMaxBytes, {
    error: 'The body may not be longer than 1 MiB.',
  })

/** Picks fields of step 1's answer into step 2's body: `path` or `path:as`, by comma. */
export const dependencyField = text(2000, 'dependency field')

export const token = z
  .union([z.string(), z.null()], { error: 'The token must be text.' })
  .optional()
  .transform((value) => (value ?? '').trim())
  .refine((value) => value.length <= 8192, {
    error: 'The token may not be longer than 8192 characters.',
  })
  .refine((value) => /^[\x21-\x7e]*$/.test(value), {
    error: 'The token may only contain visible ASCII characters.',
  })
  // No bearer token holds braces (RFC 6750 §2.1), so this is a value that somebody meant to fill in.
  .refine((value) => !value.includes('{{'), {
    error: 'A token takes no placeholders: what is typed here is sent as it is. Type the token.',
  })
