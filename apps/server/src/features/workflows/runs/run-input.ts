import type { FieldErrors } from '@gatehouse/contract'
import { textAt } from '@gatehouse/contract/answer-rule'
import { JsonProblem, parseExact, type ExactJson } from '@gatehouse/contract/mapping'
import { queuedContent } from '../../runs/steps/bodies/queued-content.ts'

const nameMaxLength = 200
/** Control characters and halves of surrogate pairs: the database can't store all of them. */
const unstorable = /[\p{Cc}]|\p{Surrogate}/u

/** What a version of a workflow reads from an input. */
export interface InputPaths {
  /** Mapping paths; blank: none. */
  reference: string
  orderKey: string
}

export interface InputQuestion {
  /** JSON, as it was sent. */
  text: string
  paths: InputPaths
  workflowId: number
  isTest: boolean
  /** Its run has it in a list, which is a level of JSON more. */
  isListed?: boolean
}

export type ReadInput =
  | {
      ok: true
      reference: string | null
      orderKey: string | null
      contentHash: string
      /** What is wrong with reference and order key. */
      errors: FieldErrors
    }
  /** It is no JSON that is accepted; the message names the place. */
  | { ok: false; isTooDeep: boolean; message: string }

/** Reads the input of a run: its names, and the hash by which it is known again. */
export function readInput({ text, paths, isListed, ...content }: InputQuestion): ReadInput {
  const alone = parse(text)
  const listed = isListed && !(alone instanceof JsonProblem) ? parse(`[${text}]`) : alone
  const input = listed instanceof JsonProblem ? listed : alone
  if (input instanceof JsonProblem)
    return { ok: false, isTooDeep: input.reason === 'too_deep', message: input.message }
  const errors: FieldErrors = {}
  const nameAt = (field: 'reference' | 'order_key', path: string): string | null => {
    if (path === '') return null
    const found = textAt(input, path)
    const problem = problemOf(found, path)
    if (problem) errors[field] = [problem]
    return found ?? null
  }
  return {
    ok: true,
    reference: nameAt('reference', paths.reference),
    orderKey: nameAt('order_key', paths.orderKey),
    contentHash: queuedContent({ ...content, input }),
    errors,
  }
}

function parse(text: string): ExactJson | JsonProblem {
  try {
    return parseExact(text)
  } catch (error) {
    if (error instanceof JsonProblem) return error
    throw error
  }
}

/** A run without its name could not be told from another: it is refused instead. */
function problemOf(found: string | undefined, path: string): string | undefined {
  if (found === undefined) return `The input has no plain value at ${path}.`
  if (found.length > nameMaxLength)
    return `The value at ${path} may not be longer than ${nameMaxLength} characters.`
  return unstorable.test(found)
    ? `The value at ${path} may not contain control characters.`
    : undefined
}
