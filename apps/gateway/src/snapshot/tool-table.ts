import { CompiledTool, type OfferedEndpoint } from './compiled-tool.ts'

/** The tools of a snapshot. A change of the snapshot changes it in place, as the routes. */
export class ToolTable<E extends OfferedEndpoint> {
  readonly #byName = new Map<string, CompiledTool<E>>()
  readonly #offering = new Set<number>()
  #sorted: readonly CompiledTool<E>[] | null = null
  #released: readonly CompiledTool<E>[] | null = null

  /** Whether any API is offered to agents: without one, they are not answered. */
  get isServed(): boolean {
    return this.#offering.size > 0
  }

  addApi({ config }: OfferedEndpoint['api']): void {
    if (config.offer_to_agents) this.#offering.add(config.id)
  }

  removeApi({ config }: OfferedEndpoint['api']): void {
    this.#offering.delete(config.id)
  }

  add(endpoint: E): void {
    const { tool } = endpoint.config
    if (tool === null || !isOffering(endpoint)) return
    this.#byName.set(tool.name, new CompiledTool(tool, endpoint))
    this.#forget()
  }

  remove(endpoint: E): void {
    const name = endpoint.config.tool?.name
    if (name === undefined || this.#byName.get(name)?.endpoint !== endpoint) return
    this.#byName.delete(name)
    this.#forget()
  }

  #forget(): void {
    this.#sorted = null
    this.#released = null
  }

  find(name: string): CompiledTool<E> | undefined {
    return this.#byName.get(name)
  }

  /** Those whose calls a person has to release. */
  get released(): readonly CompiledTool<E>[] {
    return (this.#released ??= this.sorted.filter(({ config }) => config.needs_release))
  }

  /** By name. */
  get sorted(): readonly CompiledTool<E>[] {
    return (this.#sorted ??= [...this.#byName.values()].toSorted((one, other) =>
      one.name < other.name ? -1 : 1,
    ))
  }
}

/** An agent can't sign the request that its call becomes: where signatures are asked for there are no tools. */
const isOffering = ({ api }: OfferedEndpoint): boolean =>
  api.config.offer_to_agents && api.signatureSeconds === null
