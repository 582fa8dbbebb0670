/** How long ago the database answered to the control plane: until then every change was in force here. */
export class Freshness {
  readonly #staleAfterMs: number | null
  #heardAtMs: number

  /** `staleAfterMs`: null, never stale. `unheardMs`: how long it had been silent when this began. */
  constructor(staleAfterMs: number | null, unheardMs: number) {
    this.#staleAfterMs = staleAfterMs
    this.#heardAtMs = performance.now() - unheardMs
  }

  heard(): void {
    this.#heardAtMs = performance.now()
  }

  /** Changes that others have made since, as the end of a token, may not be in force here. */
  get isStale(): boolean {
    return this.#staleAfterMs !== null && performance.now() - this.#heardAtMs > this.#staleAfterMs
  }
}
