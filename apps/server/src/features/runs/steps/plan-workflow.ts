import type { WorkflowDefinition, WorkflowStep } from '@gatehouse/contract'
import type { MappingMoment } from '@gatehouse/contract/mapping'
import type { Caller } from '../../../kernel/caller.ts'
import {
  planSteps,
  tryPlanSteps,
  type FieldName,
  type PlannedStep,
  type StepInput,
} from './plan-steps.ts'
import { conditionOf } from './step-condition.ts'
import type { SendRight, Targets } from './target.ts'

interface WorkflowPlanning {
  targets: Targets
  caller: Caller
  isTest: boolean
  /** Of the run; each step has its own share. */
  moment: MappingMoment
  /** Absent: the caller needs access to each endpoint, as where a definition is not saved yet. */
  right?: SendRight
  /** A run that is continued: the steps that are planned, and what is known about them. Absent: all. */
  steps?: ReadonlyMap<number, Pick<StepInput, 'token' | 'isFrozen'>>
}

/**
 * Plans every step of a workflow's run. Sends nothing. Throws a 422 that names all problems at once:
 * `input` and places below it where the input lacks a value, `steps.0.…` where a step of the
 * definition can't be carried out. A step whose condition over the input does not hold is `skipped`,
 * and asks for no values. `inputText` is the input as it was sent: numbers keep their digits.
 */
export function planWorkflowSteps(
  definition: Pick<WorkflowDefinition, 'steps'>,
  inputText: string,
  planning: WorkflowPlanning,
): Promise<PlannedStep[]> {
  const { inputs, options } = planningOf(definition, inputText, planning)
  return planSteps(inputs, options)
}

/** The same for a preview: the steps that can be carried out, and by field what is wrong with the others. */
export function tryPlanWorkflow(
  definition: Pick<WorkflowDefinition, 'steps'>,
  inputText: string,
  planning: WorkflowPlanning,
) {
  const { inputs, options } = planningOf(definition, inputText, planning)
  return tryPlanSteps(inputs, options)
}

function planningOf(
  { steps }: Pick<WorkflowDefinition, 'steps'>,
  inputText: string,
  { targets, caller, isTest, moment, right, steps: known }: WorkflowPlanning,
) {
  const inputs = steps
    .map((step, index) => inputOf(step, index + 1, moment))
    .filter(({ position }) => known?.has(position) ?? true)
    .map((input) => ({ ...input, ...known?.get(input.position) }))
  const options = { targets, caller, isTest, nameOf: workflowField, inputText }
  return { inputs, options: right ? { ...options, right } : options }
}

/** The field of a workflow that a step's problem belongs to; places in lists count from 0. */
const workflowField: FieldName = (position, field, at = '') => {
  const path = at === '' || at === '$' ? '' : at.startsWith('[') ? at : `.${at}`
  if (field === 'input') return `input${path}`
  const step = `steps.${position - 1}`
  return field === 'end_point' ? `${step}.endpoint_id` : `${step}.${field}${path}`
}

function inputOf(
  { endpoint_id, body, condition }: WorkflowStep,
  position: number,
  { now, seed }: MappingMoment,
): StepInput {
  const judged = condition ? conditionOf(condition) : undefined
  return {
    position,
    endpointId: endpoint_id,
    body: textOf(body),
    token: '',
    dependencyField: null,
    ...(body.kind === 'mapping'
      ? { rows: body.rows, moment: { now, seed: `${seed}:${position}` } }
      : {}),
    ...(judged ? { condition: judged } : {}),
  }
}

/** What the ledger keeps as typed: the template, or the rows as JSON. */
export const textOf = (body: WorkflowStep['body']): string =>
  body.kind === 'template' ? body.text : body.kind === 'mapping' ? JSON.stringify(body.rows) : ''
