import type { RevisionId } from '@gatehouse/contract/gateway'
import type { TokenSlots } from '../sign-in/token-slots.ts'
import { checkSnapshot } from '../snapshot/check-snapshot.ts'
import { compileSnapshot } from '../snapshot/compile-snapshot.ts'
import type { UpstreamOrigins } from '../snapshot/upstream-origins.ts'
import type { CompilePolicy } from './compile-policy.ts'
import type { ServedSnapshot } from './exchange.ts'

export type SwapResult =
  | ({ ok: true } & RevisionId)
  | { ok: false; revision: number | null; reason: string }

interface HolderOptions {
  origins: UpstreamOrigins
  slots: TokenSlots
  compilePolicy: CompilePolicy
}

/** Holds the snapshot in force. A request reads it once, when it begins, and stays with it. */
export class SnapshotHolder {
  current: ServedSnapshot | null = null
  readonly #options: HolderOptions

  constructor(options: HolderOptions) {
    this.#options = options
  }

  /** Checks, compiles and swaps. What can't be used is refused, and the one before stays in force. */
  swap(given: unknown): SwapResult {
    const check = checkSnapshot(given)
    if (!check.ok) return check
    const { origins, slots, compilePolicy } = this.#options
    const { revision, mark, apis, endpoints } = check.snapshot
    const withHeaders = Map.groupBy(
      endpoints.filter(({ static_headers }) => static_headers.length > 0),
      ({ api_id }) => api_id,
    )
    let compiled: ServedSnapshot
    try {
      compiled = {
        snapshot: compileSnapshot(check.snapshot, origins, slots),
        policies: apis.map((api) => compilePolicy(api, origins, withHeaders.get(api.id) ?? [])),
      }
    } catch (error) {
      return { ok: false, revision, reason: `It can't be compiled: ${(error as Error).message}` }
    }
    const previous = this.current
    this.current = compiled
    origins.keep(targetsOf(compiled))
    previous?.policies.forEach((policy) => policy?.dispose?.())
    return { ok: true, revision, mark }
  }

  close(): void {
    this.current?.policies.forEach((policy) => policy?.dispose?.())
  }
}

function targetsOf({ snapshot, policies }: ServedSnapshot) {
  return [
    ...snapshot.apis.flatMap(({ target }) => (target === null ? [] : [target])),
    ...policies.flatMap((policy) => policy?.targets ?? []),
  ]
}
