import { createHash } from 'node:crypto'
import { JsonProblem, parseExact } from '@gatehouse/contract/mapping'
import { answerQuestions } from '../../../kernel/threads/answer-questions.ts'
import { compileSchema, placesOf, type Places } from './input-schema.ts'

/** The thread that compiles schemas and holds inputs against them: either may be made to take long. */

export interface SchemaQuestion {
  /** Null: any JSON is accepted. */
  schema: string | null
  inputs: readonly string[]
}

export type SchemaAnswer =
  /** For each input the places that do not fit; null where all of it fits. */
  { ok: true; places: (Places | null)[] } | { ok: false; message: string }

const compiledMax = 100
/** By the digest of their text, the last used last. */
const compiled = new Map<string, ReturnType<typeof compileSchema>>()

function schemaOf(text: string) {
  const digest = createHash('sha256').update(text).digest('base64')
  const schema = compiled.get(digest) ?? compileSchema(text)
  compiled.delete(digest)
  compiled.set(digest, schema)
  const [oldest] = compiled.keys()
  if (compiled.size > compiledMax && oldest !== undefined) compiled.delete(oldest)
  return schema
}

function check(text: string, schema: ReturnType<typeof compileSchema> | undefined) {
  try {
    // Refuses what JSON.parse takes: a key twice, and what is nested too deep.
    parseExact(text)
  } catch (error) {
    if (error instanceof JsonProblem) return { input: [error.message] }
    throw error
  }
  return schema?.ok ? (placesOf(schema.validate, JSON.parse(text)) ?? null) : null
}

answerQuestions(({ schema: text, inputs }: SchemaQuestion): SchemaAnswer => {
  const schema = text === null ? undefined : schemaOf(text)
  if (schema?.ok === false) return schema
  return { ok: true, places: inputs.map((input) => check(input, schema)) }
})
