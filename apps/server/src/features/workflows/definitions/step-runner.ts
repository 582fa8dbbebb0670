import { randomUUID } from 'node:crypto'
import {
  effectOf,
  sampleAnswerMaxCharacters,
  type Permission,
  type RunSummary,
  type SampleAnswers,
  type WorkflowStepRun,
} from '@gatehouse/contract'
import { bodyText } from '@gatehouse/contract/answer-tree'
import type { AddressGuard } from '@gatehouse/upstream'
import { AppError, fieldError } from '../../../kernel/app-error.ts'
import { can, type Caller } from '../../../kernel/caller.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { CallContext } from '../../../kernel/mount.ts'
import type { LastExchange, RunEngine } from '../../runs/engine/run-engine.ts'
import type { RunStarter } from '../../runs/engine/run-starter.ts'
import type { PlannedStep } from '../../runs/steps/plan-steps.ts'
import { tryPlanWorkflow } from '../../runs/steps/plan-workflow.ts'
import type { Target, Targets } from '../../runs/steps/target.ts'
import { checkDefinition } from './check-definition.ts'
import { exactText } from './exact-field.ts'
import { isPlannedFor, runsAt, typedAlone, withAnswers } from './sample-steps.ts'
import type { CheckedDefinition } from './stored-definition.ts'
import { inputOf, type UnsavedSample } from './workflow-preview.ts'

export interface StepRunnerOptions {
  targets: Targets
  guard: AddressGuard
  starter: RunStarter
  engine: RunEngine
  summaryOf: (runId: number) => Promise<RunSummary>
  clock: Clock
}

interface Asked {
  definition: CheckedDefinition
  inputText: string
  answers: SampleAnswers
  position: number
  caller: Caller
}

/**
 * Runs one step of a workflow that is not saved, so that its author sees a real answer. Nothing but a read ever goes
 * to an address that is not for tests.
 */
export class StepRunner {
  readonly #options: StepRunnerOptions

  constructor(options: StepRunnerOptions) {
    this.#options = options
  }

  /** Throws a 422 where the step can't be run on the sample, with the field at fault. */
  async run(
    { definition: typed, input, answers, position }: UnsavedSample & { position: number },
    context: CallContext,
  ): Promise<WorkflowStepRun> {
    const { starter, engine, summaryOf } = this.#options
    const { caller, bodyText } = context
    const at = ['definition']
    const definition = await checkDefinition(typed, { ...this.#options, caller, bodyText, at })
    const inputText = inputOf(exactText(input, bodyText, ['input']), definition)
    const { step, place } = await this.#plan({ definition, inputText, answers, position, caller })
    const started = await starter.start({
      kind: 'build',
      isTest: place === 'test',
      steps: [step],
      key: undefined,
      isContentKey: false,
      confirmsHeld: false,
      caller,
      requestId: context.requestId,
      from: context,
    })
    // Without a key every request is a run of its own.
    if (started.what === 'replay') throw new AppError('run.failed')
    const last = await engine.carryOut(started.live, context.signal)
    return toAnswer(last, await summaryOf(started.live.id), place)
  }

  async #plan({ definition, inputText, answers, position, caller }: Asked) {
    const place = await this.#placeOf(definition, position, caller)
    const moment = { now: this.#options.clock.now().toISOString(), seed: randomUUID() }
    const { targets } = this.#options
    const listed = (definition.inputs_per_run ?? 1) > 1 ? `[${inputText}]` : inputText
    const planning = { targets, caller, isTest: place === 'test', moment }
    const { steps, errors } = await tryPlanWorkflow(definition, listed, planning)
    const facts = { inputText: listed, answers }
    const planned = await withAnswers(steps, facts, errors)
    const step = planned.find((each) => each.position === position)
    if (step?.request && step.skipped === undefined) {
      refuseChanged(step, place)
      return { step: alone(step, typedAlone(step, facts)), place }
    }
    const own = Object.entries(errors).filter(
      ([field]) => /^input(?:$|[.[])/.test(field) || field.startsWith(`steps.${position - 1}.`),
    )
    if (own.length > 0) throw fieldError(Object.fromEntries(own))
    throw fieldError({
      position: [
        step?.skipped ?? 'It takes values from the answers of earlier steps: run those first.',
      ],
    })
  }

  async #placeOf({ steps }: CheckedDefinition, position: number, caller: Caller): Promise<Place> {
    const asked = steps[position - 1]
    if (!asked) throw fieldError({ position: ['There is no such step.'] })
    const found = await this.#options.targets.find(asked.endpoint_id, caller)
    const field = endpointField(position)
    if (!found.ok) throw fieldError({ [field]: [found.message] })
    const place = runsAt(found.target)
    if (place === 'nowhere') throw fieldError({ [field]: [neverSent] })
    if (place === 'test') refuseWithout(caller, 'tax.test')
    if (!isRead(found.target)) refuseWithout(caller, 'request.send')
    return place
  }
}

type Place = WorkflowStepRun['at']

const endpointField = (position: number) => `definition.steps.${position - 1}.endpoint_id`

const neverSent = 'It changes something, and its API has no test address: it is not sent from here.'

const isRead = ({ settings, method }: Target) => effectOf(settings, method) === 'read'

function refuseWithout(caller: Caller, permission: Permission): void {
  if (can(caller, permission)) return
  throw new AppError('permission.denied', {
    message: `You do not have permission to do this (${permission}).`,
  })
}

/** Between the look at its endpoint and the plan. */
function refuseChanged(step: PlannedStep, place: Place): void {
  if (isPlannedFor(step, place)) return
  throw fieldError({
    [endpointField(step.position)]: [
      'Its endpoint or API was changed just now: run the step again.',
    ],
  })
}

/**
 * The step as a run of it alone: nothing is taken from others any more. It claims no document, so that the same sample
 * can be run again; what submits goes to a test address only.
 */
function alone({ input: _, ...step }: PlannedStep, source: PlannedStep['source']): PlannedStep {
  return { ...step, position: 1, source, documents: [] }
}

function toAnswer(last: LastExchange | undefined, run: RunSummary, at: Place): WorkflowStepRun {
  const [step] = run.steps
  const text = last?.answer.ok ? bodyText(last.answer.body) : undefined
  return {
    run,
    at,
    status: last?.answer.status ?? step?.status ?? null,
    took_ms: step?.duration_ms ?? null,
    body: text?.slice(0, sampleAnswerMaxCharacters) ?? null,
    is_whole: text === undefined || text.length <= sampleAnswerMaxCharacters,
  }
}
