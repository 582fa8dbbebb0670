import { documentPathProblem, type Effect, type FieldErrors } from '@gatehouse/contract'
import { fieldError } from '../../kernel/app-error.ts'
import type { Caller } from '../../kernel/caller.ts'
import { effectOf } from './classify-answer.ts'
import { readDocument } from './document-ledger.ts'
import { freezeRequest, type FrozenRequest } from './freeze-request.ts'
import { readSource, type StepSource } from './step-body.ts'
import type { Target, Targets } from './target.ts'

/** A step as it was asked for. */
export interface StepInput {
  position: number
  endpointId: number
  body: string
  token: string
  dependencyField: string | null
  /** Bytes of it have left before and are the ones that go again, whatever was typed for them. */
  isFrozen?: boolean
}

/** A step that may be called, with all that is known before anything is sent. */
export interface PlannedStep {
  position: number
  target: Target
  effect: Effect
  source: StepSource
  dependencyField: string | null
  token: string
  /** A dry run's step: it is resolved and checked, and not sent. */
  isDry: boolean
  /** Undefined where values of earlier answers are missing. */
  request: FrozenRequest | undefined
}

/** The field of a form that a step's problem belongs to. */
export type FieldName = (
  position: number,
  field: 'end_point' | 'body' | 'dependency_field',
) => string

export const bundleField: FieldName = (position, field) => `endpoint_${position}.${field}`

/**
 * Checks every step before anything is sent. Throws a 422 that names all problems at once: endpoints
 * that can't be called, bodies and dependency fields that can't be used, documents without reference.
 */
export async function planSteps(
  inputs: readonly StepInput[],
  options: {
    targets: Targets
    caller: Caller
    isTest: boolean
    nameOf?: FieldName
    /** Says why a target may not be called; undefined where it may. */
    refuseTarget?: (target: Target) => string | undefined
  },
): Promise<PlannedStep[]> {
  const { targets, caller, isTest, nameOf = bundleField } = options
  const errors: FieldErrors = {}
  const steps: PlannedStep[] = []
  const lookups = await Promise.all(
    inputs.map(async (input) => ({ input, found: await targets.find(input.endpointId, caller) })),
  )
  for (const { input, found } of lookups) {
    const { position, token, dependencyField } = input
    const refuse = (field: Parameters<FieldName>[1], message: string) => {
      errors[nameOf(position, field)] = [message]
    }
    const unfit = found.ok ? options.refuseTarget?.(found.target) : found.message
    if (unfit !== undefined) refuse('end_point', unfit)
    const read = readAgain(input) ?? readSource(position, input.body, dependencyField)
    if (!read.ok) refuse(read.field, read.message)
    if (!found.ok || unfit !== undefined || !read.ok) continue
    const effect = effectOf(found.target.settings, found.target.method)
    const problem = effect === 'read' ? undefined : settingsProblem(found.target)
    if (problem !== undefined) {
      refuse('end_point', problem)
      continue
    }
    const { target, isDry } = isTest
      ? testTarget(found.target, effect)
      : { target: found.target, isDry: false }
    const step = { position, target, effect, source: read.source, dependencyField, token, isDry }
    const frozen = freezePlanned(step)
    if (!frozen.ok) refuse('body', frozen.message)
    else steps.push({ ...step, request: frozen.request })
  }
  if (Object.keys(errors).length > 0) throw fieldError(errors)
  return steps
}

/**
 * An earlier version took for text what is refused by now. Where such a body has left, the same bytes
 * go again; undefined for every other step.
 */
function readAgain({ position, body, isFrozen, dependencyField }: StepInput) {
  if (!isFrozen || readSource(position, body, dependencyField).ok) return undefined
  const source = { position, text: body, plain: body, body: undefined, dependency: null, takes: [] }
  return { ok: true, source } as const
}

/** Settings that an earlier version stored may name the document in a way that guards one of several. */
function settingsProblem({ settings, name }: Target): string | undefined {
  const { reference_path, original_reference_path } = settings
  const problem =
    documentPathProblem(reference_path) ?? documentPathProblem(original_reference_path)
  return problem && `The run settings of ${name} can't be used. ${problem}`
}

/** What can be frozen now is, so that its problems show before anything is sent. */
function freezePlanned({ target, source }: Omit<PlannedStep, 'request'>) {
  if (source.takes.length > 0) return { ok: true, request: undefined } as const
  const frozen = freezeRequest(target, source.plain)
  if (!frozen.ok) return frozen
  const document = readDocument(target.settings, source.plain)
  return document.ok ? frozen : document
}

/**
 * A test invoice never reaches production (spec: test-invoice): it goes to the test base URL; without one
 * only reads go out.
 */
function testTarget(target: Target, effect: Effect): { target: Target; isDry: boolean } {
  if (target.testBaseUrl !== undefined)
    return { target: { ...target, baseUrl: target.testBaseUrl }, isDry: false }
  return { target, isDry: target.method !== 'GET' || effect !== 'read' }
}
