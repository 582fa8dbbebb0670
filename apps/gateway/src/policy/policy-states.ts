import type { SnapshotApi, SnapshotEndpoint } from '@gatehouse/contract/gateway'
import type { OpenBreaker } from '../messages/report-messages.ts'
import type { RateTake } from '../messages/shared-messages.ts'
import { PolicyState, type PolicyTools } from './policy-state.ts'

interface Held {
  readonly signature: string
  readonly state: PolicyState
  /** Snapshots that use it. */
  holders: number
}

/**
 * Keeps what policies remember (counts, breakers, kept answers) while snapshots come and go: it
 * survives as long as the policy of that API, its addresses, its credential and what its calls carry stay
 * the same. Where they change, it starts from nothing, and no answer that was kept for the old ones is given
 * out.
 */
export class PolicyStates {
  readonly #tools: PolicyTools
  readonly #held = new Map<number, Held>()

  constructor(tools: PolicyTools) {
    this.#tools = tools
  }

  /** The state of an API, or by its negative id of its draft, for one snapshot; `release` says that the snapshot is gone. */
  hold(
    api: SnapshotApi,
    endpointsWithHeaders: readonly SnapshotEndpoint[] = [],
  ): { state: PolicyState; release: () => void } {
    const { id, policy, base_url, connect_timeout_ms, requires_token } = api
    const signature = JSON.stringify([
      policy,
      base_url,
      api.credential,
      api.static_headers,
      api.tls,
      connect_timeout_ms,
      requires_token,
      // They may decide what is answered, and are no part of the key of a kept answer.
      policy.cache && endpointsWithHeaders.map((each) => [each.id, each.static_headers]),
    ])
    let held = this.#held.get(id)
    if (held?.signature !== signature) {
      held = { signature, state: new PolicyState(api, this.#tools), holders: 0 }
      this.#held.set(id, held)
    }
    held.state.cache?.purge(api.cache_purges)
    held.holders++
    const mine = held
    return { state: mine.state, release: () => this.#release(id, mine) }
  }

  /** What rate limits have let through since the last call. */
  drainTakes(): RateTake[] {
    return [...this.#held].flatMap(([id, { state }]) =>
      (state.limiter?.drain() ?? []).map(([client, times]): RateTake => [id, client, times]),
    )
  }

  /** Counts what another worker let through; an API without a limit has no use for it. */
  absorbTakes(takes: readonly RateTake[]): void {
    const nowMs = this.#tools.nowMs()
    for (const [id, client, times] of takes) {
      this.#held.get(id)?.state.limiter?.absorb(client, times, nowMs)
    }
  }

  /** The circuit breakers that are open now. Those of drafts stop no one else. */
  openBreakers(): OpenBreaker[] {
    const nowMs = this.#tools.nowMs()
    return [...this.#held].flatMap(([api_id, { state }]) => {
      const openForMs = state.breaker?.openForMs(nowMs) ?? null
      return openForMs === null || api_id < 0 ? [] : [{ api_id, open_ms: Math.round(openForMs) }]
    })
  }

  #release(id: number, held: Held) {
    held.holders--
    if (held.holders > 0) return
    held.state.stop()
    if (this.#held.get(id) === held) this.#held.delete(id)
  }
}
