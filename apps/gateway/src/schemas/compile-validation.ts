import type { SnapshotEndpoint } from '@gatehouse/contract/gateway'
import type { CompiledCheck } from '@gatehouse/contract/json-schema'
import { jsonSchema } from './load-checks.ts'
import { reading } from './read-json.ts'

/** What of a request the schema of its parameters asks for. */
const parts = ['path', 'query', 'headers'] as const
export type ParameterPart = (typeof parts)[number]

export interface CompiledValidation {
  readonly isEnforced: boolean
  readonly parameters: { check: CompiledCheck; parts: readonly ParameterPart[] } | null
  readonly body: CompiledCheck | null
  readonly isBodyRequired: boolean
  readonly answer: CompiledCheck | null
  /** Why a schema can't be used; null: each can. */
  readonly fault: string | null
}

/** Null where nothing is checked. */
export function compileValidation(
  validation: SnapshotEndpoint['validation'],
): CompiledValidation | null {
  if (validation === null || validation.mode === 'off') return null
  const { mode, parameters_schema, body_schema, answer_schema, is_body_required } = validation
  const isEnforced = mode === 'enforce'
  try {
    const parameters = compile(parameters_schema, true)
    return {
      isEnforced,
      parameters: parameters && {
        check: parameters,
        parts: parts.filter((part) => parameters_schema.includes(`"${part}"`)),
      },
      body: compile(body_schema, false),
      isBodyRequired: is_body_required,
      answer: compile(answer_schema, false),
      fault: null,
    }
  } catch (error) {
    const fault = (error as Error).message
    return { isEnforced, parameters: null, body: null, isBodyRequired: false, answer: null, fault }
  }
}

const compile = (schema: string, isText: boolean): CompiledCheck | null =>
  schema === ''
    ? null
    : jsonSchema().compileCheck(JSON.parse(schema) as object, isText ? { isText } : { reading })
