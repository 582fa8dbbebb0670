import {
  effectOf,
  type FieldErrors,
  type SampleAnswers,
  type WorkflowPreviewStep,
} from '@gatehouse/contract'
import { escapeBraces } from '@gatehouse/contract/mapping'
import { fieldError } from '../../../kernel/app-error.ts'
import { isLarge, resolveInThread } from '../../runs/steps/bodies/body-threads.ts'
import { requestTargetOf } from '../../runs/steps/freeze-request.ts'
import type { PlannedStep } from '../../runs/steps/plan-steps.ts'
import { parsedOnce, resolveStep, type TakingStep } from '../../runs/steps/resolve-step.ts'
import { resolveBody, type StepSource } from '../../runs/steps/bodies/step-body.ts'
import type { Target } from '../../runs/steps/target.ts'

interface SampleFacts {
  inputText: string
  answers: SampleAnswers
}

/** Where a step can be run on a sample without harm. */
export function runsAt({
  testDestination,
  settings,
  method,
}: Target): WorkflowPreviewStep['runs_at'] {
  if (testDestination !== undefined) return 'test'
  return effectOf(settings, method) === 'read' ? 'address' : 'nowhere'
}

/** False where its endpoint or API was changed since somebody looked where it can be run. */
export const isPlannedFor = (
  { target, isDry }: Pick<PlannedStep, 'target' | 'isDry'>,
  place: WorkflowPreviewStep['runs_at'],
): boolean => runsAt(target) === place && !isDry

/**
 * The steps, with those that take from answers which are there worked out as a run would. What is wrong with one goes
 * into `errors`, by its field, and the step is left out.
 */
export async function withAnswers(
  steps: readonly PlannedStep[],
  facts: SampleFacts,
  errors: FieldErrors,
): Promise<PlannedStep[]> {
  const known: PlannedStep[] = []
  for (const step of steps) {
    const found = await withAnswer(step, facts)
    if (typeof found !== 'string') known.push(found)
    else errors[`steps.${step.position - 1}.body`] = [found]
  }
  return known
}

/** The step as it is known with the answers, or what is wrong with it. */
async function withAnswer(step: PlannedStep, facts: SampleFacts): Promise<PlannedStep | string> {
  const { source, effect, target, request, skipped } = step
  const positions = new Set(facts.answers.map(({ position }) => position))
  const isKnown = neededBy(step).every((position) => positions.has(position))
  if (request || skipped !== undefined || !isKnown) return step
  const taking: TakingStep = {
    source,
    effect,
    target: { ...requestTargetOf(target), settings: target.settings },
    frozen: undefined,
    answers: textsOf(facts),
    statuses: new Map(
      facts.answers.flatMap(({ position, status }) =>
        status === null ? [] : [[position, status]],
      ),
    ),
  }
  const resolved = isLarge(taking) ? await resolveInThread(taking) : resolveStep(taking)
  if (!resolved.ok)
    return resolved.isSkipped ? { ...step, skipped: resolved.message } : resolved.message
  const { carried } = resolved
  return { ...step, request: resolved.request, documents: carried.ok ? carried.documents : [] }
}

/** By position; under 0 the input. */
const textsOf = ({ inputText, answers }: SampleFacts) =>
  new Map([[0, inputText], ...answers.map(({ position, body }) => [position, body] as const)])

/**
 * What a known step would have been typed as in a run of it alone: with its values, so that the run can be sent again,
 * and another sample makes other content.
 */
export function typedAlone({ position, source }: PlannedStep, facts: SampleFacts): StepSource {
  const { condition: _, rows: __, moment: ___, ...rest } = source
  const resolved = resolveBody(source, parsedOnce(textsOf(facts)))
  if (!resolved.ok)
    throw fieldError({ [`definition.steps.${position - 1}.body`]: [resolved.message] })
  const { text } = resolved
  return {
    ...rest,
    position: 1,
    text: escapeBraces(text),
    plain: text,
    takes: [],
    dependency: null,
  }
}

/** The steps whose answers it takes values from, or is judged by. */
function neededBy({ source: { takes, condition } }: PlannedStep): number[] {
  const taken = takes.flatMap((each) => Number(/steps\.(\d+)\./.exec(`${each}.`)?.[1] ?? []))
  return condition && condition.step > 0 ? [...taken, condition.step] : taken
}
