import type { SnapshotApi } from '@gatehouse/contract/gateway'
import type { ApiPolicy, Exchange } from '../exchange/exchange.ts'
import type { UpstreamCall } from '../exchange/upstream-call.ts'
import type { Verdict } from '../exchange/verdict.ts'
import type { UpstreamTarget } from '../snapshot/upstream-origins.ts'
import type { FieldBlock } from '@gatehouse/http1'
import { addPolicyHeaders, changesFields } from './answer-headers.ts'
import { answerFromCache, answerStale, takeAnswerHead } from './cached-exchange.ts'
import { isFailureStatus } from './resilience/circuit-breaker.ts'
import { admitCall, admitRequest, leave } from './admission.ts'
import { knownRunOf, runOf } from './policy-run.ts'
import type { PolicyRun } from './policy-run.ts'
import type { PolicyState, PolicyTools } from './policy-state.ts'
import { answerPreflight } from './preflight.ts'
import type { CanaryCall } from './targets/canary.ts'
import { retryCall } from './retried-call.ts'

/** What the pipeline calls for one API: a hook where some part needs it, null where none does. */
export function policyHooks(
  api: SnapshotApi,
  state: PolicyState,
  tools: PolicyTools,
  release: () => void,
): ApiPolicy {
  const { policy } = api
  const { cors, cache, breaker, places, limiter, targets, clients, canary } = state
  const only = <T>(isNeeded: boolean, hook: T): T | null => (isNeeded ? hook : null)
  const isLimited = limiter !== null || clients !== null || policy.max_body_bytes !== null
  const isAdmitting = isLimited || canary !== null
  const isLookingUp = cache !== null || breaker !== null || places !== null
  const isWatching = cache !== null || policy.retries !== null
  const hooks = new Hooks(api, state, tools)
  return {
    preflight: only(cors !== null, hooks.preflight),
    admit: only(isAdmitting, hooks.admit),
    lookUp: only(isLookingUp, hooks.lookUp),
    chooseTarget: only(targets !== null || canary !== null, hooks.chooseTarget),
    onAnswerHead: only(isWatching, hooks.takeHead),
    onSwitched: only(breaker !== null, hooks.switched),
    onCallFailed: only(isWatching, hooks.takeFailure),
    onAnswerData: only(cache !== null, hooks.takeData),
    changes: only(cors !== null || limiter !== null, hooks.changes),
    addHeaders: only(cors !== null || limiter !== null || cache !== null, hooks.addHeaders),
    onEnd: only(isAdmitting || isLookingUp, hooks.end),
    targets: [...state.addresses.values()],
    dispose: release,
  }
}

class Hooks {
  readonly #api: SnapshotApi
  readonly #state: PolicyState
  readonly #tools: PolicyTools

  constructor(api: SnapshotApi, state: PolicyState, tools: PolicyTools) {
    this.#api = api
    this.#state = state
    this.#tools = tools
  }

  readonly preflight = (exchange: Exchange): Verdict => {
    const { cors } = this.#state
    return cors === null ? 'next' : answerPreflight(exchange, runOf(exchange), cors)
  }

  readonly admit = (exchange: Exchange): Verdict => {
    const run = runOf(exchange)
    const { canary } = this.#state
    if (canary !== null) run.canary = canary.choose(canaryCallOf(exchange))
    return admitRequest(exchange, run, this.#api.policy, this.#state, this.#tools)
  }

  readonly lookUp = (exchange: Exchange): Verdict => {
    const run = runOf(exchange)
    const { cache, breaker } = this.#state
    // What the canary answers is for nobody else, nor the other way round.
    const isKept = cache !== null && exchange.webSocket === null && !run.isCanary
    const mayRenew = breaker === null || breaker.state(this.#tools.nowMs()) === 'closed'
    if (isKept && answerFromCache(exchange, run, cache, mayRenew) === 'stop') return 'stop'
    const output = exchange.endpoint?.output
    // A fixed answer calls nothing: there is nothing to spare, and nothing to learn.
    if (output && output.kind !== 'template') return 'next'
    return admitCall(exchange, run, this.#state, this.#tools.nowMs())
  }

  readonly chooseTarget = (exchange: Exchange): UpstreamTarget | null => {
    const { targets, addresses, canary } = this.#state
    const run = runOf(exchange)
    if (canary !== null && run.isCanary) run.baseUrl = canary.url
    else if (targets === null) return null
    else run.baseUrl = targets.pick(run.baseUrl)
    const target = addresses.get(run.baseUrl ?? '')
    if (target === undefined) throw new Error('Each base URL has an address.')
    return target
  }

  readonly takeHead = (exchange: Exchange, call: UpstreamCall): boolean => {
    const run = runOf(exchange)
    const { cache } = this.#state
    const isReplaced =
      isFailureStatus(call.status) &&
      (this.#retry(exchange, run, call) || answerStale(exchange, run, call))
    if (isReplaced) return true
    return cache !== null && takeAnswerHead(exchange, run, cache, call)
  }

  /** The breaker learns it now: a WebSocket may stay open for hours. */
  readonly switched = (exchange: Exchange): void => {
    const run = runOf(exchange)
    if (run.breakerTicket === null) return
    this.#state.breaker?.succeeded(run.breakerTicket.isTrial, this.#tools.nowMs())
    run.breakerTicket = null
  }

  readonly takeFailure = (exchange: Exchange, call: UpstreamCall): boolean => {
    const run = runOf(exchange)
    return this.#retry(exchange, run, call) || answerStale(exchange, run, call)
  }

  readonly takeData = (exchange: Exchange, chunk: Buffer): void => {
    knownRunOf(exchange)?.recording?.append(chunk)
  }

  readonly addHeaders = (exchange: Exchange, headers: string[]): void =>
    addPolicyHeaders(exchange, knownRunOf(exchange), this.#state, headers)

  readonly changes = (fields: FieldBlock): boolean => changesFields(this.#state, fields)

  readonly end = (exchange: Exchange): void => {
    const run = knownRunOf(exchange)
    if (run === null) return
    for (const cleanUp of run.cleanUps) cleanUp()
    // Cut, refused or left in the middle: what was taken down is not the whole.
    if (exchange.code === null) run.recording?.finish()
    else run.recording?.abandon()
    leave(exchange, run, this.#state, this.#tools)
  }

  #retry(exchange: Exchange, run: PolicyRun, call: UpstreamCall): boolean {
    const settings = this.#api.policy.retries
    if (settings === null) return false
    const nextTarget = (of: Exchange): UpstreamTarget | null => this.chooseTarget(of) ?? call.target
    return retryCall({ settings, tools: this.#tools, nextTarget }, exchange, run, call)
  }
}

const canaryCallOf = ({ caller, clientAddress, req }: Exchange): CanaryCall => ({
  tokenId: caller?.tokenId ?? null,
  quotaKey: caller?.quotaKey ?? null,
  address: clientAddress,
  rawHeaders: req.rawHeaders,
})
