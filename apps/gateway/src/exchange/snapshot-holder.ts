import { checkSnapshot } from '../snapshot/check-snapshot.ts'
import { compileSnapshot } from '../snapshot/compile-snapshot.ts'
import type { CompiledSnapshot, CompileOptions, PolicyParts } from '../snapshot/compile-snapshot.ts'

export type SwapResult =
  | { ok: true; revision: number }
  | { ok: false; revision: number | null; reason: string }

/** Holds the snapshot in force. A request reads it once, when it begins, and stays with it. */
export class SnapshotHolder<P extends PolicyParts> {
  current: CompiledSnapshot<P> | null = null
  readonly #options: CompileOptions<P>

  constructor(options: CompileOptions<P>) {
    this.#options = options
  }

  /** Checks, compiles and swaps. What can't be used is refused, and the one before stays in force. */
  swap(given: unknown): SwapResult {
    const check = checkSnapshot(given)
    if (!check.ok) return check
    const { revision } = check.snapshot
    let compiled: CompiledSnapshot<P>
    try {
      compiled = compileSnapshot(check.snapshot, this.#options)
    } catch (error) {
      return { ok: false, revision, reason: `It can't be compiled: ${(error as Error).message}` }
    }
    const previous = this.current
    this.current = compiled
    this.#options.origins.keep(targetsOf(compiled))
    previous?.apis.forEach((api) => api.policy?.dispose?.())
    return { ok: true, revision }
  }

  close(): void {
    this.current?.apis.forEach((api) => api.policy?.dispose?.())
  }
}

function targetsOf(snapshot: CompiledSnapshot) {
  return snapshot.apis.flatMap((api) => [
    ...(api.target === null ? [] : [api.target]),
    ...(api.policy?.targets ?? []),
  ])
}
