import type { NodeState, OpenBreaker } from '@gatehouse/contract'
import type { TrafficStore } from './traffic-store.ts'

/** What a server says of the circuit breakers in its workers. */
export interface NodeWithBreakers {
  name: string
  state: Pick<NodeState, 'open_breakers'>
}

const shownMax = 100

/** Circuit breakers that are open, over all servers. */
export class BreakerService {
  readonly #traffic: Pick<TrafficStore, 'namesOfApis'>
  readonly #listNodes: () => Promise<readonly NodeWithBreakers[]>

  constructor(
    traffic: Pick<TrafficStore, 'namesOfApis'>,
    listNodes: () => Promise<readonly NodeWithBreakers[]>,
  ) {
    this.#traffic = traffic
    this.#listNodes = listNodes
  }

  /** By API, the oldest first; what workers reported up to six seconds ago. */
  async listOpen(): Promise<OpenBreaker[]> {
    const open = (await this.#listNodes()).flatMap(({ name, state }) =>
      state.open_breakers.map((breaker) => ({ ...breaker, name })),
    )
    if (open.length === 0) return []
    const oldest = open.toSorted((one, other) => one.since.localeCompare(other.since))
    const ofApis = [...Map.groupBy(oldest, ({ api_id }) => api_id)].slice(0, shownMax)
    const names = await this.#traffic.namesOfApis(ofApis.map(([id]) => id))
    const nameOf = new Map(names.map(({ id, name }) => [id, name]))
    return ofApis.flatMap(([api_id, breakers]) => {
      const api = nameOf.get(api_id)
      const [first] = breakers
      if (api === undefined || !first) return []
      const servers = breakers.map(({ name, workers }) => ({ name, workers }))
      return [{ api_id, api, since: first.since, servers }]
    })
  }
}
