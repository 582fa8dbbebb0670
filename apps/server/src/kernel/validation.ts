import type { FieldErrors } from '@gatehouse/contract'
import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'

/** Input that its schema refuses: all problems at once, by field, and the part they were found in. */
export class InvalidInput extends Error {
  override name = 'InvalidInput'
  readonly part: string
  readonly fields: FieldErrors

  constructor(part: string, error: z.ZodError) {
    super('The input is invalid.')
    this.part = part
    this.fields = {}
    for (const issue of error.issues) {
      const field = issue.path.map(String).join('.') || part
      const messages = (this.fields[field] ??= [])
      if (!messages.includes(issue.message)) messages.push(issue.message)
    }
  }
}

export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const part = httpPart ?? 'body'
  return (data: unknown) => {
    // A call without a body lacks every field, which says more than "expected an object".
    const result = schema.safeParse(part === 'body' ? (data ?? {}) : data)
    return result.success ? { value: result.data } : { error: new InvalidInput(part, result.error) }
  }
}

/** Parses a version that an earlier release may have stored; throws InvalidInput like a body would. */
export function parseVersion<T extends z.ZodType>(schema: T, version: unknown): z.output<T> {
  const result = schema.safeParse(version)
  if (!result.success) throw new InvalidInput('body', result.error)
  return result.data
}
