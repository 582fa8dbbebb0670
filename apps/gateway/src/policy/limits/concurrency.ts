/** Bounds how many requests of an API are under way at once. A caller that entered leaves exactly once. */
export class ConcurrencyLimit {
  readonly #max: number
  #underWay = 0

  constructor(max: number) {
    this.#max = max
  }

  get underWay(): number {
    return this.#underWay
  }

  /** False where all places are taken. */
  enter(): boolean {
    if (this.#underWay >= this.#max) return false
    this.#underWay++
    return true
  }

  leave(): void {
    this.#underWay--
  }
}
