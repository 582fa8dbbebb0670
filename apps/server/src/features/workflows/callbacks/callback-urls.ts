import type { WorkflowDefinition } from '@gatehouse/contract'
import type { Stores } from '../../../stores.ts'

export interface WorkflowVersion {
  id: number
  version: number
}

const keptMax = 1_000

/** Where the runs of each version are reported. Versions never change, so that each is read once. */
export class CallbackUrls {
  readonly #known = new Map<string, string | null>()

  /** Null: nowhere. */
  async of({ workflowRuns }: Stores, { id, version }: WorkflowVersion): Promise<string | null> {
    const key = `${id} ${version}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const found = await workflowRuns.findDefinition(id, version)
    const definition = found && (JSON.parse(found.definition) as WorkflowDefinition)
    const url = definition?.callback?.url ?? null
    if (this.#known.size >= keptMax) this.#known.clear()
    this.#known.set(key, url)
    return url
  }
}
