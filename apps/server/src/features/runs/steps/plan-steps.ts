import { documentPathProblem, type Effect, type FieldErrors } from '@gatehouse/contract'
import type { Credential } from '@gatehouse/upstream'
import { fieldError } from '../../../kernel/app-error.ts'
import type { Caller } from '../../../kernel/caller.ts'
import { effectOf } from './classify-answer.ts'
import type { CarriedDocument } from './read-document.ts'
import { formatOf, requestTargetOf, type FrozenRequest } from './freeze-request.ts'
import type { BodyTarget } from './plan-body.ts'
import { plannedBody } from './body-threads.ts'
import type { StepSource } from './step-body.ts'
import { credentialFor, type Target, type Targets } from './target.ts'

/** A step as requested. */
export interface StepInput {
  position: number
  endpointId: number
  body: string
  token: string
  dependencyField: string | null
  /** Its bytes were sent before, and the same bytes are sent again. */
  isFrozen?: boolean
}

/** A step that may be called, with everything that is known before it is sent. */
export interface PlannedStep {
  position: number
  target: Target
  effect: Effect
  source: StepSource
  dependencyField: string | null
  credential: Credential
  /** Whether the step is only resolved and checked, and not sent. */
  isDry: boolean
  /** Undefined where values of earlier answers are missing. */
  request: FrozenRequest | undefined
  /** What `request` carries; undefined where the endpoint takes no documents. */
  document: CarriedDocument | undefined
}

/** The field of a form that a step's problem belongs to. */
export type FieldName = (
  position: number,
  field: 'end_point' | 'body' | 'dependency_field',
) => string

export const bundleField: FieldName = (position, field) => `endpoint_${position}.${field}`

/**
 * Checks every step before anything is sent. Throws a 422 that names all problems at once:
 * endpoints that can't be called, bodies and dependency fields that can't be used, documents
 * without reference.
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
    const call = found.ok && unfit === undefined ? callOf(found.target, isTest) : undefined
    const body = await plannedBody({
      ...typedOf(input),
      format: found.ok ? formatOf(found.target) : 'json',
      target: call && bodyTargetOf(call),
    })
    if (!body.ok) refuse(body.field, body.message)
    else if (call?.problem !== undefined) refuse('end_point', call.problem)
    if (!call || call.problem !== undefined || !body.ok) continue
    const { target, effect, isDry } = call
    const { source, request, document } = body
    steps.push({
      position,
      target,
      effect,
      source,
      dependencyField,
      credential: credentialFor(target, token),
      isDry,
      request,
      document,
    })
  }
  if (Object.keys(errors).length > 0) throw fieldError(errors)
  return steps
}

/** Where a step goes and what it does there; `problem` says why it can't. */
function callOf(found: Target, isTest: boolean) {
  const effect = effectOf(found.settings, found.method)
  const problem = effect === 'read' ? undefined : settingsProblem(found)
  const { target, isDry } = isTest ? testTarget(found, effect) : { target: found, isDry: false }
  return { target, effect, isDry, problem }
}

const typedOf = ({ position, body, dependencyField, isFrozen = false }: StepInput) => ({
  position,
  body,
  dependencyField,
  isFrozen,
})

function bodyTargetOf({ target, problem }: ReturnType<typeof callOf>): BodyTarget | undefined {
  if (problem !== undefined) return undefined
  return { ...requestTargetOf(target), settings: target.settings }
}

/**
 * Settings that an earlier version stored may name the document in a way that guards one of
 * several.
 */
function settingsProblem({ settings, name }: Target): string | undefined {
  const { reference_path, original_reference_path } = settings
  const problem =
    documentPathProblem(reference_path) ?? documentPathProblem(original_reference_path)
  return problem && `The run settings of ${name} can't be used. ${problem}`
}

/**
 * A test invoice never reaches production (spec: test-invoice): it goes to the test base URL;
 * without one only reads go out.
 */
function testTarget(target: Target, effect: Effect): { target: Target; isDry: boolean } {
  if (target.testDestination !== undefined)
    return { target: { ...target, destination: target.testDestination }, isDry: false }
  return { target, isDry: target.method !== 'GET' || effect !== 'read' }
}
