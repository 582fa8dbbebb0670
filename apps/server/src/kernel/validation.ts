import type { FieldErrors } from '@gatehouse/contract'
import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { wordsOf } from './text/issue-words.ts'

/** How many unknown fields an answer names, and how many characters of each name. */
const namedFieldsMax = 100
const namedFieldMaxLength = 200

/** Input that its schema refuses: all problems at once, by field, and the part they were found in. */
export class InvalidInput extends Error {
  override name = 'InvalidInput'
  readonly part: string
  // Without a prototype: a field may be called `constructor`.
  readonly fields: FieldErrors = Object.create(null) as FieldErrors

  constructor(part: string, error: z.ZodError) {
    super('The input is invalid.')
    this.part = part
    let unknown = 0
    for (const issue of error.issues) {
      const path = issue.path.map(String)
      if (issue.code !== 'unrecognized_keys') this.#add(path.join('.') || part, issue.message)
      else {
        for (const key of issue.keys) {
          if (++unknown > namedFieldsMax) continue
          this.#add([...path, key].join('.').slice(0, namedFieldMaxLength), issue.message)
        }
      }
    }
    if (unknown > namedFieldsMax)
      this.#add(part, `There are ${unknown - namedFieldsMax} more fields that are not known.`)
  }

  #add(field: string, message: string): void {
    const messages = (this.fields[field] ??= [])
    if (!messages.includes(message)) messages.push(message)
  }
}

export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const part = httpPart ?? 'body'
  return (data: unknown) => {
    // A call without a body lacks every field, which says more than "expected an object".
    const result = schema.safeParse(part === 'body' ? (data ?? {}) : data, { error: wordsOf })
    return result.success ? { value: result.data } : { error: new InvalidInput(part, result.error) }
  }
}

/** Parses a version that an earlier release may have stored; throws InvalidInput like a body would. */
export function parseVersion<T extends z.ZodType>(schema: T, version: unknown): z.output<T> {
  const result = schema.safeParse(version, { error: wordsOf })
  if (!result.success) throw new InvalidInput('body', result.error)
  return result.data
}
