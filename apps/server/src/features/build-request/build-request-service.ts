import { randomUUID } from 'node:crypto'
import { effectOf, type EndpointOptionQuery, type RunSummary } from '@gatehouse/contract'
import type { MappingMoment } from '@gatehouse/contract/mapping'
import type { Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { CallContext } from '../../kernel/mount.ts'
import type { InTransaction } from '../../stores.ts'
import {
  outcomeOf,
  readJson,
  refusal,
  refuseUnlessSucceeded,
  shownText,
  storedOutcome,
  type BuildOutcome,
} from './build-answer.ts'
import { readKey, scopedKey } from '../runs/ledger/idempotency.ts'
import { bodyToSend } from './mapped-body.ts'
import { loadRun } from '../runs/ledger/open-run.ts'
import { formatOf } from '../runs/steps/freeze-request.ts'
import { planSteps, type FieldName } from '../runs/steps/plan-steps.ts'
import type { RunEngine } from '../runs/engine/run-engine.ts'
import type { RunStarter } from '../runs/engine/run-starter.ts'
import { withBodies, type ArchivedRuns } from '../runs/ledger/reading/archived-runs.ts'
import { getSummary, takenMessage } from '../runs/ledger/reading/run-summary.ts'
import type { Target, Targets } from '../runs/steps/target.ts'

export interface BuildRequestServiceOptions {
  targets: Targets
  inTransaction: InTransaction
  starter: RunStarter
  engine: RunEngine
  summaryOf: (runId: number) => Promise<RunSummary>
  archived: ArchivedRuns
  clock: Clock
}

interface BuildStep {
  endpointId: number
  body: string
  token: string
  /** The field that the body was typed in. */
  field: 'body' | 'second_endpoint'
  key: string | undefined
  takenAt?: string
  confirmsHeld?: boolean
}

/** Fetches from one endpoint and sends to another. Each call is recorded as a run of one step. */
export class BuildRequestService {
  readonly #options: BuildRequestServiceOptions

  constructor(options: BuildRequestServiceOptions) {
    this.#options = options
  }

  listOptions(query: EndpointOptionQuery, context: CallContext) {
    return this.#options.targets.list(context.caller, query)
  }

  /**
   * Get: the answer of the endpoint, which must be JSON. Throws a 422 where the call may change
   * data.
   */
  async fetch(
    { end_point, body, token }: { end_point: number; body: string; token: string },
    context: CallContext,
  ) {
    const step = { endpointId: end_point, body, token, field: 'body', key: undefined } as const
    const outcome = await this.#run(step, context, refuseUnlessRead)
    refuseUnlessSucceeded(outcome)
    const json = await readJson(outcome)
    if (!json.ok) throw refusal('upstream.not_json', outcome, json.message)
    return { message: 'Data fetched successfully.', data: json.value, run: outcome.run }
  }

  /**
   * Send: the mapped rows or the finished body. The server does the mapping itself and trusts no
   * preview. Without a key the same may be sent again, unless it is under way or its outcome
   * unknown.
   */
  async send(
    input: {
      end_point: number
      first_endpoint: string
      second_endpoint: string
      token: string
      confirm_held: boolean
    },
    context: CallContext,
  ) {
    const { end_point, first_endpoint, second_endpoint, token } = input
    const key = readKey(context.header('idempotency-key'))
    const found = await this.#options.targets.find(end_point, context.caller)
    const format = found.ok ? formatOf(found.target) : 'json'
    const moment = await this.#momentOf(key, context.caller)
    const typed = { first: first_endpoint, typed: second_endpoint, format, moment }
    const body = await bodyToSend(typed)
    const outcome = await this.#run(
      {
        endpointId: end_point,
        body,
        token,
        field: 'second_endpoint',
        key,
        takenAt: moment.now,
        confirmsHeld: input.confirm_held,
      },
      context,
    )
    refuseUnlessSucceeded(outcome)
    const json = await readJson(outcome)
    const data = json.ok ? json.value : shownText(outcome.text)
    const isPending = outcome.run.state === 'pending'
    if (isPending) context.setStatus(202)
    const message = isPending ? takenMessage : 'Data sent successfully.'
    return { message, data, run: outcome.run }
  }

  /** What rows say of the time, and their UUIDs: with a key the same for each request with that key. */
  async #momentOf(key: string | undefined, caller: Caller): Promise<MappingMoment> {
    const { inTransaction, clock } = this.#options
    const now = clock.now().toISOString()
    if (key === undefined) return { now, seed: randomUUID() }
    const scoped = scopedKey('build', caller.user.id, key)
    const known = await inTransaction(({ runs }) => runs.findByKey(scoped))
    const takenAt = known?.created_at ?? now
    return { now: takenAt, seed: `${scoped}:${takenAt}` }
  }

  async #run(
    step: BuildStep,
    context: CallContext,
    refuseTarget: (target: Target) => string | undefined = () => undefined,
  ): Promise<BuildOutcome> {
    const { targets, inTransaction, starter, engine, summaryOf } = this.#options
    const { endpointId, body, token, key, takenAt } = step
    const { caller, requestId } = context
    const nameOf: FieldName = (_, field) => (field === 'end_point' ? 'end_point' : step.field)
    const steps = await planSteps(
      [{ position: 1, endpointId, body, token, dependencyField: null }],
      { targets, caller, isTest: false, nameOf, refuseTarget },
    )
    const started = await starter.start({
      kind: 'build',
      isTest: false,
      steps,
      key,
      isContentKey: false,
      confirmsHeld: step.confirmsHeld ?? false,
      caller,
      requestId,
      from: context,
      takenAt,
    })
    if (started.what === 'replay') {
      context.setHeader('idempotent-replay', 'true')
      const lines = await this.#options.archived.readWithOrigins(started.runId)
      return inTransaction(async ({ runs }) =>
        storedOutcome(
          withBodies(await loadRun(runs, started.runId), lines),
          await getSummary(runs, started.runId),
        ),
      )
    }
    const last = await engine.carryOut(started.live, context.signal)
    const run = await summaryOf(started.live.id)
    if (last) return outcomeOf(last, run)
    return inTransaction(async ({ runs }) => storedOutcome(await loadRun(runs, run.id), run))
  }
}

/** A fetch is a GET of our API, which a client may repeat: the endpoint it calls may only read. */
function refuseUnlessRead({ method, settings }: Target): string | undefined {
  if (effectOf(settings, method) === 'read') return undefined
  return settings.effect === ''
    ? `Get only reads, and a ${method} may change something. Use Send, or set the endpoint’s effect to read in its run settings.`
    : `Get only reads, and the run settings of this endpoint say otherwise (${settings.effect}). Use Send.`
}
