import type { BodyFormat, WorkflowMappingRow } from '@gatehouse/contract'
import {
  JsonProblem,
  parseExact,
  pathText,
  type ExactJson,
  type MappingMoment,
} from '@gatehouse/contract/mapping'
import { readDocuments, type CarriedDocument } from '../documents/read-document.ts'
import { freezeRequest, type FrozenRequest, type RequestTarget } from '../freeze-request.ts'
import { missingFromInput, readRows } from './mapped-rows.ts'
import { missingInputs } from '../placeholders.ts'
import { readSource, resolveBody } from './step-body.ts'
import type { ReadSource, StepSource } from '../step-source.ts'
import { judge, type StepCondition } from '../step-condition.ts'
import type { Target } from '../target.ts'

/** The typed input of a step and its target: plain data that a thread can receive. */
export interface TypedBody {
  position: number
  body: string
  dependencyField: string | null
  /** Its bytes were sent before, and the same bytes are sent again. */
  isFrozen?: boolean
  format: BodyFormat
  /** Undefined where the step may not be called: then the input is only parsed. */
  target: BodyTarget | undefined
  /** The body is mapped by these rows; `body` is not read. */
  rows?: readonly WorkflowMappingRow[]
  moment?: MappingMoment
  condition?: StepCondition
}

export type BodyTarget = RequestTarget & Pick<Target, 'settings'>

/** What is wrong, and where: `at` is the place inside the field, like `rows.1.to`; blank: all of it. */
export interface BodyProblem {
  field: 'body' | 'dependency_field' | 'input'
  at: string
  message: string
}

export type PlannedBody =
  | {
      ok: true
      source: StepSource
      /** Undefined where values of earlier answers are missing, and where the step is skipped. */
      request: FrozenRequest | undefined
      /** What `request` carries; undefined where the endpoint takes no documents. */
      documents: readonly CarriedDocument[]
      /** Why the step is skipped: its condition over the input does not hold. */
      skipped?: string
    }
  | { ok: false; problems: BodyProblem[] }

/**
 * Reads what was typed for the steps of a run. What can be frozen now is, so that its problems show
 * before anything is sent; a refusal names the fields at fault. `inputText` is the input of a
 * workflow's run, which is read once for all steps.
 */
export function planBodies(typed: readonly TypedBody[], inputText?: string): PlannedBody[] {
  if (inputText === undefined) return typed.map((each) => planBody(each))
  const input = readInput(inputText)
  return typed.map((each) =>
    input.ok ? planBody(each, input.value) : refused('input', input.message),
  )
}

function readInput(text: string) {
  try {
    return { ok: true, value: parseExact(text) } as const
  } catch (error) {
    if (error instanceof JsonProblem) return { ok: false, message: error.message } as const
    throw error
  }
}

function planBody({ target, ...typed }: TypedBody, input?: ExactJson): PlannedBody {
  const read = readTyped(typed, input !== undefined)
  if (!read.ok) return refused(read.field, read.message)
  const { condition, isFrozen = false } = typed
  const later = { source: read.source, request: undefined, documents: [] }
  if (condition?.step === 0 && !isFrozen) {
    const judged = judge(condition, { status: undefined, body: input })
    if (judged.what === 'skip') return { ok: true, ...later, skipped: judged.message }
  }
  // Whether a step with an open condition needs its values at all is not known yet.
  if (condition && condition.step > 0)
    return { ok: true, ...later, source: after(read.source, condition) }
  const missing = input === undefined ? [] : missingOf(read, input)
  if (missing.length > 0) return { ok: false, problems: missing }
  if (target === undefined || read.source.takes.length > 0) return { ok: true, ...later }
  return frozenNow(read.source, target, input)
}

function frozenNow(
  source: StepSource,
  target: BodyTarget,
  input: ExactJson | undefined,
): PlannedBody {
  const resolved = resolveBody(source, (step) => (step === 0 ? input : undefined))
  if (!resolved.ok) return refused('body', resolved.message)
  const frozen = freezeRequest(target, resolved.text)
  if (!frozen.ok) return refused('body', frozen.message)
  const carried = readDocuments(target.settings, resolved.text)
  if (!carried.ok) return refused('body', carried.message)
  const { request } = frozen
  return {
    ok: true,
    source: { ...source, plain: resolved.text },
    request,
    documents: carried.documents,
  }
}

const after = (source: StepSource, condition: StepCondition): StepSource => ({
  ...source,
  condition,
  takes: [...source.takes, `steps.${condition.step}.body`],
})

/** The values of the input that the body needs and that are not there. */
function missingOf({ source, placeholders }: ReadSource & { ok: true }, input: ExactJson) {
  const problems = source.rows
    ? missingFromInput(source.rows, input, source.moment)
    : missingInputs(placeholders, input).map(({ segments, message }) => ({
        at: pathText(segments),
        message,
      }))
  return problems.map((problem): BodyProblem => ({ field: 'input', ...problem }))
}

/**
 * An earlier version accepted bodies that are refused now. Where such a body was sent, the same
 * bytes are sent again.
 */
function readTyped(typed: Omit<TypedBody, 'target'>, hasInput: boolean): ReadSource {
  const { position, body, dependencyField, isFrozen, format, rows, moment } = typed
  const read = rows
    ? readRows(position, rows, format, moment)
    : readSource(position, body, dependencyField, format, hasInput)
  if (read.ok || !isFrozen) return read
  const rest = { position, format, dependency: null, takes: [] }
  return { ok: true, source: { ...rest, text: body, plain: body }, placeholders: [] }
}

const refused = (field: BodyProblem['field'], message: string): PlannedBody => ({
  ok: false,
  problems: [{ field, at: '', message }],
})
