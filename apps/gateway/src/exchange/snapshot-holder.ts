import type { RevisionId, SnapshotApi, SnapshotEndpoint } from '@gatehouse/contract/gateway'
import type { TokenSlots } from '../sign-in/token-slots.ts'
import { checkChanges } from '../snapshot/check-changes.ts'
import { checkSnapshot } from '../snapshot/check-snapshot.ts'
import { compileChanges, putInForce } from '../snapshot/compile-changes.ts'
import type { CompiledChanges } from '../snapshot/compile-changes.ts'
import { compileSnapshot } from '../snapshot/compile-snapshot.ts'
import type { CompiledApi, CompiledEndpoint } from '../snapshot/compile-snapshot.ts'
import type { UpstreamOrigins } from '../snapshot/upstream-origins.ts'
import type { CompilePolicy } from './compile-policy.ts'
import type { ApiPolicy, ServedSnapshot } from './exchange.ts'

export type SwapResult =
  | ({ ok: true } & RevisionId)
  | { ok: false; revision: number | null; reason: string }

interface HolderOptions {
  origins: UpstreamOrigins
  slots: TokenSlots
  compilePolicy: CompilePolicy
}

/** Holds the snapshot in force. A request reads it once, when it begins, and stays with what it found. */
export class SnapshotHolder {
  current: ServedSnapshot | null = null
  readonly #options: HolderOptions
  /** Those of `current`. */
  #policies: (ApiPolicy | null)[] = []

  constructor(options: HolderOptions) {
    this.#options = options
  }

  /** Checks, compiles and swaps. What can't be used is refused, and the one before stays in force. */
  swap(given: unknown): SwapResult {
    const check = checkSnapshot(given)
    if (!check.ok) return check
    const { revision, mark } = check.snapshot
    return attempt(revision, () => {
      const snapshot = compileSnapshot(
        check.snapshot,
        this.#options,
        this.current?.snapshot.callers,
      )
      const { parts } = snapshot
      const policies: (ApiPolicy | null)[] = []
      for (const api of parts.apis.values())
        for (const [index, policy] of this.#policiesOf(
          api,
          parts.endpointsOf.get(api.config.id) ?? [],
        ))
          policies[index] = policy
      const previous = this.#policies
      this.#policies = policies
      this.current = { snapshot, policies }
      this.#keepOrigins()
      for (const policy of previous) policy?.dispose?.()
      return { ok: true, revision, mark }
    })
  }

  /** The same for changes of the snapshot in force: what does not change is not looked at. */
  change(given: unknown): SwapResult {
    const { current } = this
    if (current === null)
      return { ok: false, revision: null, reason: 'There is nothing yet that it could change.' }
    const check = checkChanges(given, current.snapshot)
    if (!check.ok) return check
    const { revision, mark } = check.changes
    return attempt(revision, () => {
      const compiled = compileChanges(current.snapshot, check.changes, this.#options)
      const policies = this.#compilePolicies(compiled)
      putInForce(compiled)
      for (const { index } of compiled.goneApis)
        for (const gone of [index, index + 1]) if (!policies.has(gone)) policies.set(gone, null)
      this.current = { snapshot: compiled.snapshot, policies: this.#policies }
      const previous = this.#replacePolicies(policies)
      if (compiled.apis.length > 0 || compiled.goneApis.length > 0) this.#keepOrigins()
      for (const policy of previous) policy?.dispose?.()
      return { ok: true, revision, mark }
    })
  }

  close(): void {
    for (const policy of this.#policies) policy?.dispose?.()
  }

  /** Of APIs that change, and of those whose endpoints send headers of their own from now on, or no more. */
  #compilePolicies({ snapshot, apis, endpoints, goneEndpoints }: CompiledChanges) {
    const { parts } = snapshot
    const touched = new Map(apis.map((api) => [api.config.id, api]))
    for (const { api, config } of [...endpoints, ...goneEndpoints]) {
      const known = touched.has(config.api_id) || !parts.apis.has(config.api_id)
      if (config.static_headers.length > 0 && !known) touched.set(config.api_id, api)
    }
    const policies = new Map<number, ApiPolicy | null>()
    for (const [id, api] of touched) {
      const kept = [...(parts.endpointsOf.get(id) ?? [])].filter((each) => !goneEndpoints.has(each))
      const added = endpoints.filter((each) => each.config.api_id === id)
      for (const [index, policy] of this.#policiesOf(api, [...kept, ...added]))
        policies.set(index, policy)
    }
    return policies
  }

  /** That of the API and that of its draft, by their places. */
  #policiesOf(
    { index, config, draft }: CompiledApi,
    endpoints: Iterable<CompiledEndpoint>,
  ): [index: number, policy: ApiPolicy | null][] {
    const all = [...endpoints]
    // What a draft remembers (counts, kept answers) is its own: no API has this id.
    const ofDraft = draft && { ...draft.config, id: -config.id }
    return [
      [index, this.#compilePolicy(config, all)],
      [index + 1, ofDraft && this.#compilePolicy(ofDraft, all)],
    ]
  }

  #compilePolicy(config: SnapshotApi, endpoints: Iterable<CompiledEndpoint>) {
    const withHeaders: SnapshotEndpoint[] = []
    for (const endpoint of endpoints)
      if (endpoint.config.static_headers.length > 0) withHeaders.push(endpoint.config)
    withHeaders.sort((one, other) => one.id - other.id)
    return this.#options.compilePolicy(config, this.#options.origins, withHeaders)
  }

  /** In the list that the snapshot before shares, so that a request that waits for its turn gets the new ones. */
  #replacePolicies(policies: ReadonlyMap<number, ApiPolicy | null>): (ApiPolicy | null)[] {
    const previous: (ApiPolicy | null)[] = []
    for (const [index, policy] of policies) {
      previous.push(this.#policies[index] ?? null)
      this.#policies[index] = policy
    }
    return previous
  }

  /** Connections that nothing uses any more are given up. */
  #keepOrigins(): void {
    const apis = this.current?.snapshot.parts.apis.values() ?? []
    this.#options.origins.keep([
      ...[...apis].flatMap(({ target, draft }) =>
        [target, draft?.target ?? null].filter((each) => each !== null),
      ),
      ...this.#policies.flatMap((policy) => policy?.targets ?? []),
    ])
  }
}

function attempt(revision: number, work: () => SwapResult): SwapResult {
  try {
    return work()
  } catch (error) {
    return { ok: false, revision, reason: `It can't be compiled: ${(error as Error).message}` }
  }
}
