/** Of versions, the newest that were used are kept. */
const versionsMax = 200

/** What was made of the versions of workflows, which never change. Made once, while it is in use. */
export class VersionCache<T> {
  readonly #make: (workflowId: number, version: number) => Promise<T>
  readonly #made = new Map<string, Promise<T>>()

  constructor(make: (workflowId: number, version: number) => Promise<T>) {
    this.#make = make
  }

  get(workflowId: number, version: number): Promise<T> {
    const key = `${workflowId} ${version}`
    const known = this.#made.get(key)
    const made = known ?? this.#make(workflowId, version)
    // A map keeps the order in which keys were set: the one that was not used for longest goes first.
    this.#made.delete(key)
    this.#made.set(key, made)
    if (!known) made.catch(() => this.#made.delete(key))
    if (this.#made.size > versionsMax) this.#made.delete(this.#made.keys().next().value ?? '')
    return made
  }
}
