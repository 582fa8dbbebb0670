import { optionalPath } from '../../endpoints/answer-rule-input.ts'
import { baseUrlProblem } from '../base-url.ts'
import { contentTypeProblem } from '../../endpoints/body-format.ts'
import { requiredText, text, typedSecret } from '../../kernel/fields.ts'
import { headerList } from './outgoing-header.ts'

/** A secret that may have several lines. */
export const secretText = (maxLength: number, label: string) =>
  typedSecret(maxLength, label).refine((value) => value.isWellFormed() && !value.includes('\0'), {
    error: `The ${label} may not contain control or invisible characters.`,
  })

/** A secret of one line. */
export const secretLine = (maxLength: number, label: string) =>
  secretText(maxLength, label).refine((value) => !/[\x00-\x1f\x7f]/.test(value), {
    error: `The ${label} may not contain line breaks or control characters.`,
  })

/** An address that is called to sign in. */
export const callUrl = (label: string) =>
  requiredText(2_048, label).superRefine((value, context) => {
    const problem = value === '' ? undefined : baseUrlProblem(value, label)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })

/** Precedes the token in Authorization (RFC 9110 §11.1). */
export const scheme = text(40, 'scheme')
  .transform((value) => value || 'Bearer')
  .refine((value) => /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(value), {
    error: 'The scheme must be one word, like Bearer.',
  })

/** Printable ASCII, as the parameters of a token request allow it (RFC 6749 appendix A). */
export const printable = (maxLength: number, label: string) =>
  text(maxLength, label).refine((value) => /^[\x20-\x7e]*$/.test(value), {
    error: `The ${label} may only contain visible ASCII characters and blanks.`,
  })

export const requiredPath = (label: string) =>
  optionalPath(label).refine((value) => value !== '', { error: `The ${label} field is required.` })

export const contentType = text(200, 'content type')
  .transform((value) => value || 'application/json')
  .superRefine((value, context) => {
    const problem = contentTypeProblem(value)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })

/** Headers of calls that carry the token; `Authorization: Bearer {token}` where nothing is said. */
export const sendAs = headerList('headers', { max: 10 })
  .transform((list) =>
    list.length > 0 ? list : [{ name: 'Authorization', value: 'Bearer {token}' }],
  )
  .superRefine((list, context) => {
    for (const [at, { value }] of list.entries()) {
      if (value === '' || value.includes('{token}')) continue
      context.addIssue({
        code: 'custom',
        path: [at, 'value'],
        message: 'The value must contain {token}, where the token goes.',
      })
    }
  })
