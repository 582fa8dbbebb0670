import type {
  FieldErrors,
  SampleAnswers,
  WorkflowInput,
  WorkflowPreview,
  WorkflowPreviewStep,
  WorkflowStep,
} from '@gatehouse/contract'
import { textAt } from '@gatehouse/contract/answer-rule'
import { JsonProblem, parseExact } from '@gatehouse/contract/mapping'
import type { AddressGuard } from '@gatehouse/upstream'
import { AppError, fieldError } from '../../../kernel/app-error.ts'
import type { Caller } from '../../../kernel/caller.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { InTransaction } from '../../../stores.ts'
import { knownUrl } from '../../runs/steps/known-url.ts'
import type { PlannedStep } from '../../runs/steps/plan-steps.ts'
import { tryPlanWorkflow } from '../../runs/steps/plan-workflow.ts'
import type { SendRight, Targets } from '../../runs/steps/target.ts'
import { checkDefinition } from './check-definition.ts'
import { runsAt, withAnswers } from './sample-steps.ts'
import { exactText } from './exact-field.ts'
import { inputProblems } from './input-schemas.ts'
import { currentOf, type CheckedDefinition } from './stored-definition.ts'

interface PreviewOptions {
  inTransaction: InTransaction
  targets: Targets
  guard: AddressGuard
  clock: Clock
}

interface Previewed {
  definition: CheckedDefinition
  inputText: string
  caller: Caller
  /** Access to a saved workflow. Absent: each endpoint is checked. */
  right?: SendRight
  /** What steps answered when they were run on the sample. */
  answers?: SampleAnswers
}

/** A definition that is not saved, and a sample to look at it with. */
export interface UnsavedSample {
  definition: WorkflowInput
  input?: unknown
  answers: SampleAnswers
}

/** Shows what each step of a workflow would send. Makes the checks of sending; sends and stores nothing. */
export class WorkflowPreviewer {
  readonly #options: PreviewOptions

  constructor(options: PreviewOptions) {
    this.#options = options
  }

  /** Of a saved workflow, by its sample where the call has no input. */
  async saved(id: number, input: unknown, bodyText: string, caller: Caller) {
    const row = await this.#options.inTransaction(({ workflows }) => workflows.find(id))
    if (!row) throw new AppError('workflow.not_found')
    const definition = currentOf(row)
    const inputText = inputOf(exactText(input, bodyText, ['input']), definition)
    return this.#preview({ definition, inputText, caller, right: { workflowId: id } }, id)
  }

  /** Throws a 422 for a definition that could not be saved. */
  async unsaved(
    { definition: typed, input, answers }: UnsavedSample,
    bodyText: string,
    caller: Caller,
  ) {
    const at = ['definition']
    const definition = await checkDefinition(typed, { ...this.#options, caller, bodyText, at })
    const inputText = inputOf(exactText(input, bodyText, ['input']), definition)
    return this.#preview({ definition, inputText, caller, answers }, undefined)
  }

  async #preview(previewed: Previewed, ownId: number | undefined): Promise<WorkflowPreview> {
    const { definition, inputText, caller, right, answers = [] } = previewed
    const { inTransaction, targets, clock } = this.#options
    const moment = { now: clock.now().toISOString(), seed: 'preview' }
    const options = { targets, caller, isTest: false, moment, ...(right ? { right } : {}) }
    const listed = (definition.inputs_per_run ?? 1) > 1 ? `[${inputText}]` : inputText
    const { steps, errors } = await tryPlanWorkflow(definition, listed, options)
    const planned = await withAnswers(steps, { inputText: listed, answers }, errors)
    const [unfit] = await inputProblems(definition.input_schema, [inputText])
    const input = treeOf(inputText)
    const lane = definition.lane.name
    return {
      reference: textAt(input, definition.reference_path) ?? null,
      order_key: textAt(input, definition.order_key_path) ?? null,
      steps: definition.steps.map((step, index) =>
        toPreview(
          step,
          index,
          planned.find(({ position }) => position === index + 1),
          errors,
        ),
      ),
      input_problems: { ...inputErrors(errors), ...unfit },
      lane_shared_with: await inTransaction(({ workflows }) => workflows.listSharing(lane, ownId)),
    }
  }
}

export function inputOf(sent: string | null, { sample_input }: CheckedDefinition): string {
  const text = sent ?? sample_input
  if (text === null)
    throw fieldError({ input: ['There is no sample to preview with: send an input.'] })
  return text
}

/** Those that are about the input, of all problems of a plan. */
export const inputErrors = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([field]) => /^input(?:$|[.[])/.test(field)))

function treeOf(text: string) {
  try {
    return parseExact(text)
  } catch (error) {
    if (error instanceof JsonProblem) return undefined
    throw error
  }
}

/** What a step would send, beside what is wrong with it. */
export function toPreview(
  { endpoint_id, condition }: WorkflowStep,
  index: number,
  plan: PlannedStep | undefined,
  errors: FieldErrors,
): WorkflowPreviewStep {
  const begin = `steps.${index}.`
  const own = Object.entries(errors).filter(([field]) => field.startsWith(begin))
  const request = plan?.request
  const key = plan?.target.settings.idempotency_header ?? ''
  const isSkipped = plan?.skipped !== undefined
  return {
    position: index + 1,
    endpoint_id,
    endpoint_name: plan?.target.name ?? '',
    method: plan?.target.method ?? '',
    effect: plan?.effect ?? null,
    what: plan ? (isSkipped ? 'skip' : request ? 'send' : 'waits') : 'refused',
    condition: condition
      ? isSkipped
        ? 'fails'
        : condition.source === 'input'
          ? 'holds'
          : 'open'
      : 'none',
    url: plan ? knownUrl(plan) : null,
    headers: request ? { ...request.headers, ...(key ? { [key]: '(a new UUID)' } : {}) } : {},
    body: request?.body ?? (plan && !isSkipped && !request ? plan.source.text : null),
    takes: plan?.source.takes ?? [],
    runs_at: plan ? runsAt(plan.target) : 'nowhere',
    problems: Object.fromEntries(own),
  }
}
