/** Counts the elements that all rows of a mapping read or write, up to a bound. */
export class WorkMeter {
  readonly #max: number
  #spent = 0

  constructor(max: number) {
    this.#max = max
  }

  spend(elements: number): void {
    this.#spent += elements
  }

  get isOverspent(): boolean {
    return this.#spent > this.#max
  }
}
