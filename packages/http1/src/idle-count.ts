/** Idle connections of all origins together, which share the descriptors of the process. */
export class IdleCount {
  readonly #max: number
  #count = 0

  constructor(max: number) {
    this.#max = max
  }

  get isFull(): boolean {
    return this.#count >= this.#max
  }

  add(): void {
    this.#count++
  }

  remove(): void {
    this.#count--
  }
}
