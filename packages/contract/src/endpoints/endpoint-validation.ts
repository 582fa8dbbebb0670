import { z } from 'zod'
import { choice, flag, strictFields } from '../kernel/fields.ts'

/** `log`: what does not fit is counted and logged, and passes. */
export const validationModes = ['off', 'log', 'enforce'] as const
export type ValidationMode = (typeof validationModes)[number]

/** Of one schema, as text. */
export const validationSchemaMaxBytes = 65_536

const schema = z
  .union([z.string(), z.null()], { error: 'The schema must be JSON as text.' })
  .optional()
  .transform((value) => (value ?? '').trim())
  .refine((value) => new TextEncoder().encode(value).length <= validationSchemaMaxBytes, {
    error: `A schema may not be larger than ${validationSchemaMaxBytes / 1024} KiB.`,
  })
  .refine((value) => value === '' || isObjectText(value), {
    error: 'The schema must be a JSON object.',
  })

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/**
 * What requests and answers of an endpoint have to fit: JSON Schemas (2020-12) as text, blank for none.
 * Whether a schema can be used is for the server to say; this holds it to size and shape.
 */
export const endpointValidation = strictFields({
  mode: choice(validationModes, 'mode'),
  /** Of an object with `path`, `query` and `headers`, whose values are texts. */
  parameters_schema: schema,
  body_schema: schema,
  is_body_required: flag,
  /** Answers are logged and counted only. */
  answer_schema: schema,
  /** The gateway answers with an example of `answer_schema`, and calls nothing. */
  is_mocked: flag,
})
export type EndpointValidation = z.output<typeof endpointValidation>

/** The same as it is stored, shown and published. */
export const storedValidation = z.object({
  mode: z.enum(validationModes),
  parameters_schema: z.string(),
  body_schema: z.string(),
  is_body_required: z.boolean(),
  answer_schema: z.string(),
  /** Absent in what an earlier release has stored. */
  is_mocked: z.boolean().default(false),
}) satisfies z.ZodType<EndpointValidation>

export const noValidation: EndpointValidation = {
  mode: 'off',
  parameters_schema: '',
  body_schema: '',
  is_body_required: false,
  answer_schema: '',
  is_mocked: false,
}
