import type { RunState } from '@gatehouse/contract'
import { attributesOf, spanError, spanKinds, type OtlpSpan } from '@gatehouse/logging/spans'
import { spanIdOf, type RunTrace } from '../ledger/reading/run-trace.ts'
import { callAttributes, callName } from './call-attributes.ts'
import type { TracedAttempt, TracedRun, TracedStep } from './traced-run-store.ts'

/** One carrying-out of a run, which has ended. */
export interface Carried {
  id: number
  epoch: number
  /** What the run has since: the same, or one more where another server has closed it. */
  epochAfter: number
  trace: RunTrace
  takenAt: string
  endedAt: string
  /** The attempts that were opened; absent: those that began in that time. */
  attempts?: readonly number[]
  /** What the steps made of the run. A lane may have queued it again since. */
  state: RunState
}

/** Of these the run, its steps and their attempts are read. */
interface TracedLedger {
  run: TracedRun
  steps: readonly TracedStep[]
  attempts: readonly TracedAttempt[]
}

const wellStates: ReadonlySet<string> = new Set<RunState>(['succeeded', 'pending', 'queued'])
const wellOutcomes: ReadonlySet<string> = new Set(['ok', 'ok_duplicate', 'pending'])

/**
 * The spans of a carrying-out, as the ledger has them: the run, each step that it came to, and each attempt
 * of that. Nothing in them is a body, a header, a query or a secret.
 */
export function spansOfRun(carried: Carried, { run, steps, attempts }: TracedLedger): OtlpSpan[] {
  const { takenAt, endedAt, attempts: opened } = carried
  const isLast = run.epoch === carried.epochAfter
  const own = attempts.filter(({ id, started_at }) =>
    opened ? opened.includes(id) : takenAt <= started_at && started_at <= endedAt,
  )
  const ofSteps = steps.flatMap((step) => {
    const tries = own.filter(({ step_id }) => step_id === step.id)
    const isDecided = isLast && unsentStates.has(step.state) && step.reused_from === null
    if (tries.length === 0 && !isDecided) return []
    return [
      stepSpan(carried, step, tries),
      ...tries.map((each) => attemptSpan(carried, step, each)),
    ]
  })
  return [runSpan(carried, run, isLast ? run.state : carried.state), ...ofSteps]
}

/** A step in one of these was decided without a call. */
const unsentStates: ReadonlySet<string> = new Set(['blocked', 'skipped', 'would_send'])

function runSpan(carried: Carried, run: TracedRun, state: RunState): OtlpSpan {
  const { trace, takenAt, endedAt, id, epoch } = carried
  return {
    ...spanIn(trace, takenAt, endedAt),
    spanId: spanIdOf(trace, { run: id, epoch }),
    ...(trace.parentId === null ? {} : { parentSpanId: trace.parentId }),
    name: `run ${run.slug ?? run.kind}`,
    kind: spanKinds.internal,
    attributes: attributesOf({
      'gatehouse.run_id': id,
      'gatehouse.run_kind': run.kind,
      'gatehouse.run_state': state,
      'gatehouse.workflow': run.slug,
      'gatehouse.workflow_version': run.workflow_version,
      'gatehouse.is_test': run.is_test === 1 ? 'true' : null,
      'gatehouse.request_id': run.request_id,
      'error.type': wellStates.has(state) ? null : state,
    }),
    ...errorUnless(wellStates.has(state)),
  }
}

function stepSpan(carried: Carried, step: TracedStep, tries: readonly TracedAttempt[]): OtlpSpan {
  const { trace, id, epoch, endedAt } = carried
  const last = tries.at(-1)
  const isWell = last ? wellOutcomes.has(last.outcome ?? '') : step.state !== 'blocked'
  return {
    ...spanIn(trace, tries[0]?.started_at ?? endedAt, last?.finished_at ?? endedAt),
    spanId: spanIdOf(trace, { step: step.id, epoch }),
    parentSpanId: spanIdOf(trace, { run: id, epoch }),
    name: `step ${step.position} ${step.endpoint_name}`,
    kind: spanKinds.internal,
    attributes: attributesOf({
      'gatehouse.run_id': id,
      'gatehouse.step': step.position,
      'gatehouse.endpoint_id': step.endpoint_id,
      'gatehouse.effect': step.effect,
      'gatehouse.outcome': last ? last.outcome : step.state,
      'error.type': isWell ? null : (last?.outcome ?? step.state),
    }),
    ...errorUnless(isWell),
  }
}

function attemptSpan({ trace, epoch }: Carried, step: TracedStep, tried: TracedAttempt): OtlpSpan {
  const { method, path: template } = step
  const call = callAttributes({ method, url: tried.url, template })
  const isWell = wellOutcomes.has(tried.outcome ?? '')
  return {
    ...spanIn(trace, tried.started_at, tried.finished_at ?? tried.started_at),
    spanId: spanIdOf(trace, { attempt: tried.id }),
    parentSpanId: spanIdOf(trace, { step: step.id, epoch }),
    name: callName(call),
    kind: spanKinds.client,
    attributes: attributesOf({
      ...call,
      'http.response.status_code': tried.status,
      'http.request.resend_count': tried.number > 1 ? tried.number - 1 : null,
      'gatehouse.attempt_kind': tried.kind,
      'gatehouse.outcome': tried.outcome,
      'error.type': isWell ? null : (tried.error_code ?? tried.outcome),
    }),
    ...errorUnless(isWell),
  }
}

const spanIn = ({ traceId }: RunTrace, from: string, to: string) => ({
  traceId,
  startTimeUnixNano: nanos(from),
  endTimeUnixNano: nanos(to),
})

const errorUnless = (isWell: boolean) => (isWell ? {} : { status: { code: spanError } })

const nanos = (at: string) => `${new Date(at).getTime()}000000`
