import type { EndpointDefinition, FieldErrors } from '@gatehouse/contract'
import { fieldError } from '../../../kernel/app-error.ts'
import { isTooCostly } from '../../../kernel/threads/thread-ended.ts'
import { WorkerLink } from '../../../kernel/threads/worker-link.ts'
import type { SchemaToCheck, SchemaVerdict } from './validation-worker.ts'

/** A schema holds each worker of the gateway up for as long, when it is taken over. */
const timeoutMs = 2_000

const thread = new WorkerLink<SchemaToCheck, SchemaVerdict>(
  new URL('validation-worker.ts', import.meta.url),
  { name: 'endpoint schemas', timeoutMs, isComputing: true, queueMax: 512 },
)

const schemas = ['parameters_schema', 'body_schema', 'answer_schema'] as const

/** Throws a 422 under each schema of an endpoint that the gateway could not use. */
export async function refuseUnusableSchemas(
  validation: EndpointDefinition['validation'],
): Promise<void> {
  const errors: FieldErrors = {}
  for (const field of schemas) {
    const schema = validation?.[field] ?? ''
    if (schema === '') continue
    const problem = await problemOf({ schema, isText: field === 'parameters_schema' })
    if (problem !== undefined) errors[`validation.${field}`] = [problem]
  }
  if (Object.keys(errors).length > 0) throw fieldError(errors)
}

async function problemOf(schema: SchemaToCheck): Promise<SchemaVerdict> {
  try {
    return await thread.ask(schema)
  } catch (error) {
    if (!isTooCostly(error)) throw error
    return `Reading this schema takes longer than ${timeoutMs / 1000} seconds, or too much memory.`
  }
}
