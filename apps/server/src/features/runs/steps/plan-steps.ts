import {
  documentPathProblem,
  type Effect,
  type FieldErrors,
  type WorkflowMappingRow,
} from '@gatehouse/contract'
import type { MappingMoment } from '@gatehouse/contract/mapping'
import type { Credential } from '@gatehouse/upstream'
import { fieldError } from '../../../kernel/app-error.ts'
import type { Caller } from '../../../kernel/caller.ts'
import { effectOf } from './answers/classify-answer.ts'
import type { CarriedDocument } from './documents/read-document.ts'
import { formatOf, requestTargetOf, type FrozenRequest } from './freeze-request.ts'
import type { BodyProblem, BodyTarget } from './bodies/plan-body.ts'
import { plannedBodies } from './bodies/body-threads.ts'
import type { StepSource } from './bodies/step-body.ts'
import type { StepCondition } from './step-condition.ts'
import { credentialFor, type SendRight, type Target, type Targets } from './target.ts'

/** A step as requested. */
export interface StepInput {
  position: number
  endpointId: number
  body: string
  token: string
  dependencyField: string | null
  /** Its bytes were sent before, and the same bytes are sent again. */
  isFrozen?: boolean
  /** Of a workflow's step: rows that make its body, and when it is carried out. */
  rows?: readonly WorkflowMappingRow[]
  /** What `now()` and `uuid()` of the rows give. */
  moment?: MappingMoment
  condition?: StepCondition
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
  /** Undefined where values of earlier answers are missing, and where the step is skipped. */
  request: FrozenRequest | undefined
  /** What `request` carries; none where the endpoint takes no documents. */
  documents: readonly CarriedDocument[]
  /** Why the step is skipped: its condition over the input does not hold. */
  skipped?: string
  /** The input of a workflow's run, as text, where the step takes from it and from earlier answers. */
  input?: string
}

/** The field of a form that a step's problem belongs to; `at` is the place inside that field. */
export type FieldName = (
  position: number,
  field: 'end_point' | BodyProblem['field'],
  at?: string,
) => string

export const bundleField: FieldName = (position, field) => `endpoint_${position}.${field}`

interface Planning {
  targets: Targets
  caller: Caller
  isTest: boolean
  nameOf?: FieldName
  /** Says why a target may not be called; undefined where it may. */
  refuseTarget?: (target: Target) => string | undefined
  /** The input of a workflow's run. */
  inputText?: string
  /** What gives the caller the right to send, beside access to each endpoint. */
  right?: SendRight
}

/**
 * Checks every step before anything is sent. Throws a 422 that names all problems at once:
 * endpoints that can't be called, bodies and dependency fields that can't be used, documents
 * without reference.
 */
export async function planSteps(
  inputs: readonly StepInput[],
  options: Planning,
): Promise<PlannedStep[]> {
  const { steps, errors } = await tryPlanSteps(inputs, options)
  if (Object.keys(errors).length > 0) throw fieldError(errors)
  return steps
}

/** The steps that can be carried out, and by field what is wrong with the others. */
export async function tryPlanSteps(
  inputs: readonly StepInput[],
  options: Planning,
): Promise<{ steps: PlannedStep[]; errors: FieldErrors }> {
  const { targets, caller, isTest, inputText, right, nameOf = bundleField } = options
  const errors: FieldErrors = {}
  const steps: PlannedStep[] = []
  const targetOf = await targets.findAll(
    inputs.map(({ endpointId }) => endpointId),
    caller,
    right,
  )
  const lookups = inputs.map((input) => {
    const found = targetOf.get(input.endpointId)
    if (!found) throw new Error(`Endpoint ${input.endpointId} was not looked up.`)
    const unfit = found.ok ? options.refuseTarget?.(found.target) : found.message
    const call = found.ok && unfit === undefined ? callOf(found.target, isTest) : undefined
    return { input, found, unfit, call }
  })
  const bodies = await plannedBodies(
    lookups.map(({ input, found, call }) => ({
      ...typedOf(input),
      format: found.ok ? formatOf(found.target) : 'json',
      target: call && bodyTargetOf(call),
    })),
    inputText,
  )
  for (const [index, { input, unfit, call }] of lookups.entries()) {
    const { position, token, dependencyField } = input
    const refuse = (field: Parameters<FieldName>[1], message: string, at = '') => {
      errors[nameOf(position, field, at)] = [message]
    }
    const body = bodies[index]
    if (unfit !== undefined) refuse('end_point', unfit)
    if (body?.ok === false)
      for (const { field, at, message } of body.problems) refuse(field, message, at)
    else if (call?.problem !== undefined) refuse('end_point', call.problem)
    if (!call || call.problem !== undefined || !body?.ok) continue
    const { target, effect, isDry } = call
    const { source, request, documents, skipped } = body
    steps.push({
      position,
      target,
      effect,
      source,
      dependencyField,
      credential: credentialFor(target, token),
      isDry,
      request,
      documents,
      ...(skipped === undefined ? {} : { skipped }),
      ...(inputText !== undefined && source.takes.length > 0 ? { input: inputText } : {}),
    })
  }
  return { steps, errors }
}

/** Where a step goes and what it does there; `problem` says why it can't. */
function callOf(found: Target, isTest: boolean) {
  const effect = effectOf(found.settings, found.method)
  const problem = effect === 'read' ? undefined : settingsProblem(found)
  const { target, isDry } = isTest ? testTarget(found, effect) : { target: found, isDry: false }
  return { target, effect, isDry, problem }
}

const typedOf = ({ endpointId: _endpoint, token: _token, ...typed }: StepInput) => typed

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
