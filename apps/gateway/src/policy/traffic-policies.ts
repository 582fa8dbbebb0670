import type { CompilePolicy } from '../exchange/compile-policy.ts'
import type { UpstreamOrigins } from '../snapshot/upstream-origins.ts'
import type { OpenBreaker } from '../messages/report-messages.ts'
import type { RateTake } from '../messages/shared-messages.ts'
import { LimitSharing } from './limits/limit-sharing.ts'
import { limitAtOnce, maxChecksAtOnce } from './targets/health-checks.ts'
import { policyHooks } from './policy-hooks.ts'
import type { PolicyTools } from './policy-state.ts'
import { PolicyStates } from './policy-states.ts'
import { probeTarget } from './targets/probe-target.ts'

/** What a test may put in the place of the system. */
export type SystemTools = Partial<Pick<PolicyTools, 'schedule' | 'random' | 'nowMs' | 'dateMs'>>

/** The traffic policies of a gateway. What they remember outlives the snapshots they are made for. */
interface TrafficPolicies {
  compile: CompilePolicy
  /** What rate limits have let through since the last call, for the other workers. */
  drainTakes(): RateTake[]
  absorbTakes(takes: readonly RateTake[]): void
  openBreakers(): OpenBreaker[]
  /** How rate limits count together with other servers. */
  readonly limits: LimitSharing
}

export function createTrafficPolicies(tools: SystemTools = {}): TrafficPolicies {
  const limits = new LimitSharing()
  const checkAtOnce = limitAtOnce(maxChecksAtOnce)
  // One gateway, one set of connections: known with the first policy.
  let made: { tools: PolicyTools; states: PolicyStates } | undefined

  function createWith(origins: UpstreamOrigins) {
    const all: PolicyTools = {
      origins,
      probe: (target, path, timeoutMs) =>
        checkAtOnce(() => probeTarget(origins, target, path, timeoutMs)),
      schedule,
      random: Math.random,
      nowMs: () => performance.now(),
      dateMs: Date.now,
      limits,
      ...tools,
    }
    return { tools: all, states: new PolicyStates(all) }
  }

  return {
    limits,
    compile: (api, origins, endpointsWithHeaders) => {
      if (Object.values(api.policy).every((part) => part === null)) return null
      made ??= createWith(origins)
      const { state, release } = made.states.hold(api, endpointsWithHeaders)
      return policyHooks(api, state, made.tools, release)
    },
    drainTakes: () => made?.states.drainTakes() ?? [],
    absorbTakes: (takes) => made?.states.absorbTakes(takes),
    openBreakers: () => made?.states.openBreakers() ?? [],
  }
}

function schedule(callback: () => void, delayMs: number): () => void {
  const timer = setTimeout(callback, delayMs)
  return () => clearTimeout(timer)
}
