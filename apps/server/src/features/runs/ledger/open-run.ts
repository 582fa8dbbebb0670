import { defaultRunSettings, type WorkflowDefinition } from '@gatehouse/contract'
import type { MappingMoment } from '@gatehouse/contract/mapping'
import { addressOf, noCredential } from '@gatehouse/upstream'
import { AppError, fieldError } from '../../../kernel/app-error.ts'
import type { Caller } from '../../../kernel/caller.ts'
import { type Stores } from '../../../stores.ts'
import type { FrozenRequest } from '../steps/freeze-request.ts'
import type { LiveStep } from './reading/live-run.ts'
import { bundleField, planSteps, type PlannedStep } from '../steps/plan-steps.ts'
import { planWorkflowSteps } from '../steps/plan-workflow.ts'
import type { AttemptRow } from './attempt-store.ts'
import { isDone } from './run-state.ts'
import type { RunRow, RunStore, StepRow } from './run-store.ts'
import type { SendRight, Targets } from '../steps/target.ts'

/** A run as the ledger stores it, with its steps and their attempts in order. */
export interface StoredRun {
  run: RunRow
  steps: StepRow[]
  attemptsOf: (step: StepRow) => AttemptRow[]
  /** What a workflow's run carries out; undefined outside of workflows. */
  workflow: StoredWorkflow | undefined
}

interface StoredWorkflow {
  id: number
  version: number
  definition: Pick<WorkflowDefinition, 'steps'>
  /** The input as it was sent. */
  inputText: string
  /** What `now()` and `uuid()` give in its steps: the same however often they are planned. */
  moment: MappingMoment
}

export async function loadRun(runs: RunStore, id: number): Promise<StoredRun> {
  const run = await runs.find(id)
  if (!run) throw new AppError('run.not_found')
  const steps = await runs.listSteps(id)
  const attempts = await runs.listAttempts(id)
  const attemptsOf = (step: StepRow) => attempts.filter(({ step_id }) => step_id === step.id)
  return { run, steps, attemptsOf, workflow: await workflowOf(runs, run) }
}

/** A workflow's run of which nothing was planned yet. */
export const loadNew = async (runs: RunStore, run: RunRow): Promise<StoredRun> => ({
  run,
  steps: [],
  attemptsOf: () => [],
  workflow: await workflowOf(runs, run),
})

async function workflowOf(runs: RunStore, run: RunRow): Promise<StoredWorkflow | undefined> {
  const { id, workflow_id, workflow_version } = run
  if (workflow_id === null || workflow_version === null) return undefined
  const found = await runs.findWorkflow(id)
  if (!found) throw new Error(`Run ${id} has lost its workflow or its input.`)
  const definition = JSON.parse(found.definition) as WorkflowDefinition
  const moment = momentOf(await runs.findOrigin(run))
  return { id: workflow_id, version: workflow_version, definition, inputText: found.input, moment }
}

/** Of the first of all runs that were sent in place of one another. */
const momentOf = ({ id, created_at, content_sha256 }: RunRow): MappingMoment => ({
  now: created_at,
  seed: `${id}:${created_at}:${content_sha256 ?? ''}`,
})

/** What a run that is carried out again says of its workflow. */
export const workflowOfLive = ({ workflow }: StoredRun) =>
  workflow ? { workflowId: workflow.id, workflowVersion: workflow.version } : {}

/** Access to the workflow is the right to send its runs, and access to the endpoint that of others. */
export const rightOf = ({ workflow }: Pick<StoredRun, 'workflow'>): SendRight | undefined =>
  workflow && { workflowId: workflow.id }

/** Outcomes after which the bytes may have arrived, or have, without a decision. */
const uncertain = new Set(['timeout', 'cut', 'server_error', 'crash', 'pending'])

/** What the attempts so far mean for the next one. */
export function historyOf(attempts: readonly AttemptRow[]) {
  const sent = attempts.filter(({ kind }) => kind === 'send' || kind === 'resend')
  const settled = attempts.findLastIndex(
    ({ kind, has_settled }) => kind === 'resolved_not_received' || has_settled === 1,
  )
  const isOpen = ({ outcome }: AttemptRow) => outcome !== null && uncertain.has(outcome)
  return {
    last: sent.at(-1),
    firstSentAt: sent[0]?.started_at,
    /** Bytes have been sent: they must not change. */
    hasLeft: sent.some(({ outcome }) => outcome !== 'not_sent'),
    isResend: sent.some(isOpen),
    mayHaveArrived: attempts.slice(settled + 1).some(isOpen),
  }
}

/** The frozen request, where its bytes were sent; undefined where it may be built again. */
function frozenOf(step: StepRow, attempts: readonly AttemptRow[]): FrozenRequest | undefined {
  if (step.frozen_at === null || !historyOf(attempts).hasLeft) return undefined
  return {
    method: step.method as FrozenRequest['method'],
    url: step.url,
    headers: JSON.parse(step.headers) as Record<string, string>,
    body: step.body,
  }
}

export type Tokens = Readonly<Record<number, string | undefined>>

interface Reopening {
  targets: Targets
  caller: Caller
  tokens: Tokens
}

/**
 * The steps of a stored run, ready to be continued. Steps that are not done are planned again, so
 * that an endpoint that is disabled or not permitted now is refused (422).
 */
export async function reopenSteps(
  stored: StoredRun,
  { targets, caller, tokens }: Reopening,
): Promise<Omit<LiveStep, 'answerText' | 'answerStatus'>[]> {
  const planned = await planAgain(stored, { targets, caller, tokens })
  return stored.steps.map((step) => {
    const attempts = stored.attemptsOf(step)
    const fresh = planned.find(({ position }) => position === step.position)
    const frozen = frozenOf(step, attempts)
    const isTest = stored.run.is_test === 1
    const isDry = step.is_dry === 1 || isDryNow(step, fresh, isTest)
    if (fresh && frozen) refuseMoved(frozen.url, fresh, isDry && step.is_dry === 0)
    const { isResend, mayHaveArrived } = historyOf(attempts)
    // The effect was decided by the first plan. The test address may have been removed since.
    const plan = { ...(fresh ?? pastPlan(step)), effect: step.effect, isDry }
    return {
      id: step.id,
      uuid: step.uuid,
      plan,
      state: step.state,
      frozen,
      isResend,
      mayHaveArrived,
    }
  })
}

function planAgain(stored: StoredRun, { targets, caller, tokens }: Reopening) {
  const open = stored.steps.filter(({ state }) => !isDone(state))
  const isTest = stored.run.is_test === 1
  const knownOf = (step: StepRow) => ({
    token: tokens[step.position] ?? '',
    isFrozen: frozenOf(step, stored.attemptsOf(step)) !== undefined,
  })
  const right = rightOf(stored)
  if (stored.workflow && right) {
    const { definition, inputText, moment } = stored.workflow
    const steps = new Map(open.map((step) => [step.position, knownOf(step)]))
    return planWorkflowSteps(definition, inputText, {
      targets,
      caller,
      isTest,
      moment,
      right,
      steps,
    })
  }
  const inputs = open.map((step) => ({
    position: step.position,
    endpointId: step.endpoint_id,
    body: step.source_body ?? step.body ?? '',
    dependencyField: step.dependency_field,
    ...knownOf(step),
  }))
  return planSteps(inputs, { targets, caller, isTest })
}

/** True where a test has lost its test address: neither its old nor its new effect may be sent. */
function isDryNow(step: StepRow, fresh: PlannedStep | undefined, isTest: boolean): boolean {
  if (!fresh) return false
  const hasNoPlace = isTest && fresh.target.testDestination === undefined
  return fresh.isDry || (hasNoPlace && step.effect !== 'read')
}

/**
 * A credential must not be sent to an address that its API no longer has. `hasLeft` says that the
 * API has another address, where scheme, host and port are the same.
 */
function refuseMoved(url: string, plan: PlannedStep, hasLeft: boolean): void {
  if (!hasLeft && placeOf(url) === placeOf(addressOf(plan.target.destination.target))) return
  throw fieldError({
    [bundleField(plan.position, 'end_point')]: [
      `Its API has another address by now, and these bytes were sent to ${placeOf(url)}. Send a new run.`,
    ],
  })
}

/** Scheme, host and port; `origin` has them for HTTP only. */
export function placeOf(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}

/**
 * The plan of a step that is done. It is not called again, so only the name of its endpoint counts.
 */
export function pastPlan(step: StepRow): PlannedStep {
  const text = step.source_body ?? step.body ?? ''
  return {
    position: step.position,
    target: {
      endpointId: step.endpoint_id,
      name: step.endpoint_name,
      method: step.method as PlannedStep['target']['method'],
      path: '/',
      register: '',
      destination: {
        target: { kind: 'http', baseUrl: '', tls: null },
        apiId: 0,
        which: 'live',
        credential: noCredential,
      },
      testDestination: undefined,
      connectTimeoutMs: 0,
      answerTimeoutMs: 0,
      settings: defaultRunSettings,
      staticHeaders: [],
    },
    effect: step.effect,
    source: {
      position: step.position,
      format: 'json',
      text,
      plain: text,
      dependency: null,
      takes: [],
    },
    dependencyField: step.dependency_field,
    credential: noCredential,
    isDry: step.is_dry === 1,
    request: undefined,
    documents: [],
  }
}

/** The answer of a step that succeeded, where the ledger has one. */
export async function answerOf(
  runs: Stores['runs'],
  step: StepRow,
): Promise<Pick<LiveStep, 'answerText' | 'answerStatus'>> {
  const isThere = step.state === 'succeeded'
  const found = isThere ? await runs.findAnswer(step.reused_from ?? step.id) : undefined
  return { answerText: found?.answer_body ?? undefined, answerStatus: found?.status ?? undefined }
}
