import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv'
import {
  addCheckedFormats,
  addPlaces,
  linearPatterns,
  referenceProblem,
  type Places,
} from '@gatehouse/contract/json-schema'

export type { Places }

type Compiled = { ok: true; validate: ValidateFunction } | { ok: false; message: string }

/** Reads a JSON Schema (2020-12). Not ok where it is none, or holds what is refused. */
export function compileSchema(text: string): Compiled {
  try {
    const schema: unknown = JSON.parse(text)
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
      return refused('The schema must be a JSON object.')
    const problem = referenceProblem(schema)
    if (problem !== undefined) return refused(problem)
    const ajv = new Ajv2020({
      allErrors: true,
      allowUnionTypes: true,
      strictTypes: false,
      strictRequired: false,
      strictTuples: false,
      multipleOfPrecision: 9,
      logger: false,
      code: { regExp: linearPatterns() },
    })
    // Of OpenAPI: says nothing about what is valid.
    ajv.addVocabulary(['example'])
    addCheckedFormats(ajv)
    return { ok: true, validate: ajv.compile(schema) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return refused(`This schema can't be used: ${message.slice(0, 500)}`)
  }
}

/** Everything that does not fit, by place (`input` is the whole); undefined where all of it does. */
export function placesOf(validate: ValidateFunction, input: unknown): Places | undefined {
  return validate(input) ? undefined : addPlaces({}, validate.errors ?? [])
}

const refused = (message: string) => ({ ok: false, message }) as const
