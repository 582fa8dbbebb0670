import { z } from 'zod'
import { strictFields } from '../kernel/fields.ts'
import { readBody } from '../transformation/read-body.ts'
import { readRules, transformSides, type TransformSide } from '../transformation/read-rules.ts'

const typed = (label: string, max: number) =>
  z
    .union([z.string(), z.null()], { error: `The ${label} must be text.` })
    .optional()
    .transform((value) => (value ?? '').trim())
    .refine((value) => value.length <= max, {
      error: `The ${label} may not be longer than ${max} characters.`,
    })
    .refine((value) => !value.includes('\0'), { error: `The ${label} may not contain NUL.` })

const rulesOf = (side: TransformSide) =>
  typed('rules', 20_000).superRefine((value, context) => {
    for (const message of readRules(value, side).problems)
      context.addIssue({ code: 'custom', message })
  })

const bodyOf = (side: TransformSide) =>
  typed('body', 262_144).superRefine((value, context) => {
    const read = readBody(value, side)
    if (!read.ok) context.addIssue({ code: 'custom', message: read.problem })
  })

const [request, answer] = transformSides

/** What an endpoint changes in requests before they go on, and in answers before they come back. */
export const endpointTransformation = strictFields({
  /** Headers, query and path, one rule a line. */
  request_rules: rulesOf(request),
  /** Mapping rows as JSON, or a template; blank leaves the body as it is. */
  request_body: bodyOf(request),
  /** Headers, one rule a line. */
  answer_rules: rulesOf(answer),
  answer_body: bodyOf(answer),
})
export type EndpointTransformation = z.output<typeof endpointTransformation>

/** The same as it is stored, shown and published. */
export const storedTransformation = z.object({
  request_rules: z.string(),
  request_body: z.string(),
  answer_rules: z.string(),
  answer_body: z.string(),
}) satisfies z.ZodType<EndpointTransformation>

export const noTransformation: EndpointTransformation = {
  request_rules: '',
  request_body: '',
  answer_rules: '',
  answer_body: '',
}
