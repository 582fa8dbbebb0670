import {
  releaseCallers,
  releaseHoursDefault,
  type FieldErrors,
  type ReleaseCallers,
} from '@gatehouse/contract'
import {
  isExactObject,
  ownValue,
  parseExact,
  stringifyExact,
  type ExactJson,
} from '@gatehouse/contract/mapping'
import type { InputPaths } from './run-input.ts'

/** A definition holds a schema and a sample, each with levels of its own. */
export const storedLimits = { maxDepth: 200, maxBytes: 64 * 1024 * 1024 }

/** What does not fit a schema, for each input: messages by JSON pointer; undefined where all fits. */
export type InputProblems = (
  schema: string | null,
  inputs: readonly string[],
) => Promise<(FieldErrors | undefined)[]>

export interface InputRules {
  paths: InputPaths
  /** A JSON Schema as text; null: any JSON fits. */
  schema: string | null
  /** More than 1: the input of every run is a list of inputs. */
  inputsPerRun: number
  /** Whose runs a person has to release. */
  needsRelease: ReleaseCallers
  /** Until it expires. */
  releaseHours: number
}

/** What a stored version asks of an input; numbers of its schema stay exact. */
export function rulesOf(definition: string): InputRules {
  const stored = parseExact(definition, storedLimits)
  const fieldOf = (name: string): ExactJson =>
    (isExactObject(stored) ? ownValue(stored, name) : undefined) ?? null
  const textOf = (name: string) => {
    const value = fieldOf(name)
    return typeof value === 'string' ? value : ''
  }
  const schema = fieldOf('input_schema')
  const numberOf = (name: string) => {
    const value = fieldOf(name)
    return value === null ? undefined : Number(stringifyExact(value))
  }
  return {
    paths: { reference: textOf('reference_path'), orderKey: textOf('order_key_path') },
    schema: schema === null ? null : stringifyExact(schema),
    inputsPerRun: numberOf('inputs_per_run') ?? 1,
    needsRelease: releaseCallers.find((each) => each === textOf('needs_release')) ?? 'nobody',
    releaseHours: numberOf('release_hours') ?? releaseHoursDefault,
  }
}
