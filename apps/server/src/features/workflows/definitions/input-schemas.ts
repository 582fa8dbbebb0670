import { workflowInputMaxBytes, type FieldErrors } from '@gatehouse/contract'
import { fieldError } from '../../../kernel/app-error.ts'
import { isTooCostly } from '../../../kernel/threads/thread-ended.ts'
import { WorkerLink } from '../../../kernel/threads/worker-link.ts'
import type { SchemaAnswer, SchemaQuestion } from './schema-worker.ts'

const timeoutMs = 5_000

/** One question at a time: a schema that takes too long ends the thread, and only its own input fails. */
const thread = new WorkerLink<SchemaQuestion, SchemaAnswer>(
  new URL('schema-worker.ts', import.meta.url),
  { name: 'input schemas', timeoutMs, isComputing: true, queueMax: 512 },
)

/** Why a schema can't be used; undefined where it can. */
export async function schemaProblem(schema: string): Promise<string | undefined> {
  const answer = await ask({ schema, inputs: [] })
  return answer === undefined ? tooLong : answer.ok ? undefined : answer.message
}

/**
 * What does not fit the schema, for each input: messages by JSON pointer, `input` for the whole;
 * undefined where all of it fits. Without a schema any JSON of at most 1 MiB and 32 levels fits.
 */
export async function inputProblems(
  schema: string | null,
  inputs: readonly string[],
): Promise<(FieldErrors | undefined)[]> {
  const isLarge = (input: string) => Buffer.byteLength(input) > workflowInputMaxBytes
  const answer = await ask({
    schema,
    inputs: inputs.map((input) => (isLarge(input) ? 'null' : input)),
  })
  return inputs.map((input, index) => {
    if (isLarge(input)) return { input: ['The input may not be larger than 1 MiB.'] }
    if (answer === undefined) return { input: [tooLong] }
    if (!answer.ok) return { input: [answer.message] }
    return answer.places[index] ?? undefined
  })
}

/** Throws a 422 with every place of the input that does not fit. */
export async function refuseUnfit(schema: string | null, input: string): Promise<void> {
  const [problems] = await inputProblems(schema, [input])
  if (problems) throw fieldError(problems)
}

const tooLong = `Checking this against the schema takes longer than ${timeoutMs / 1000} seconds, or too much memory.`

/** Undefined where it takes too much time or memory. */
async function ask(question: SchemaQuestion): Promise<SchemaAnswer | undefined> {
  try {
    return await thread.ask(question)
  } catch (error) {
    if (!isTooCostly(error)) throw error
    return undefined
  }
}
