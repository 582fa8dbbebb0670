const viewMs = 10 * 60_000
const viewsMax = 10_000

/** Remembers which views of files were recorded in the last minutes. */
export class ViewMemory {
  readonly #recordedAt = new Map<string, number>()

  /** True when this view has not been recorded in the last ten minutes; it then counts as recorded. */
  begin(view: string, nowMs: number): boolean {
    const last = this.#recordedAt.get(view)
    if (last !== undefined && nowMs - last < viewMs) return false
    if (this.#recordedAt.size >= viewsMax) this.#recordedAt.clear()
    this.#recordedAt.set(view, nowMs)
    return true
  }
}
