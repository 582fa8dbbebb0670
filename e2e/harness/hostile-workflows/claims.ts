/** A run as somebody was shown it. */
export interface ShownRun {
  id: number
  state: string
  authority_reference?: string | null | undefined
}

/** What the product has told its callers. All of it has to be true in the end. */
export class Claims {
  /** The runs that were taken, by the reference of their document. */
  readonly runs = new Map<string, number>()
  /** What was shown of a document, each once. */
  readonly #shown = new Map<string, Map<string, ShownRun>>()
  /** Answers that nobody may get. */
  readonly problems: string[] = []
  /** Answers that said once more what had been said before. */
  repeated = 0

  /** Documents that the product has promised to carry out. */
  readonly references = new Set<string>()

  /** The product has promised to carry the document out, as this run. */
  taken(reference: string, runId: number): void {
    this.references.add(reference)
    const known = this.runs.get(reference)
    if (known !== undefined) this.repeated++
    if (known !== undefined && known !== runId)
      this.problem(`${reference} is run ${known} and run ${runId}`)
    this.runs.set(reference, runId)
  }

  shown(reference: string, run: ShownRun): void {
    const shown = this.#shown.get(reference) ?? new Map<string, ShownRun>()
    shown.set(`${run.state} ${run.authority_reference ?? ''}`, run)
    this.#shown.set(reference, shown)
  }

  /** All that was ever shown of each document. */
  *everything(): Generator<[reference: string, run: ShownRun]> {
    for (const [reference, shown] of this.#shown)
      for (const run of shown.values()) yield [reference, run]
  }

  problem(text: string): void {
    this.problems.push(text)
  }
}
