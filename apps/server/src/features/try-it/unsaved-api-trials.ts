import {
  type HttpApiDefinition,
  type SnapshotApi,
  type SnapshotEndpoint,
  type TryApiInput,
  type TryItAnswer,
} from '@gatehouse/contract'
import { fieldError } from '../../kernel/app-error.ts'
import { refuseWithout, type Actor } from '../../kernel/caller.ts'
import { throwUnderDefinition, type Trial, type TryItService } from './try-it-service.ts'

/** Null: the definition of an API that is new. */
type ApiId = number | null

type TriedRoute = NonNullable<TryApiInput['route']>

/** An API as a save would store it, ready for calls. */
interface CheckedApi {
  /** With the id 0 where it is new. */
  api: SnapshotApi
  shown: object
  /** What its calls carry, and what of that is masked. May ask an authority; throws what is wrong with the sign-in. */
  signIn: () => Promise<{ credential: SnapshotApi['credential']; secrets: string[] }>
}

export interface UnsavedApiTrialsOptions {
  tryIt: Pick<TryItService, 'tryOnce' | 'refuseWithoutAccess'>
  /** Throws what a save would throw. */
  checkUnsavedApi: (id: ApiId, definition: HttpApiDefinition, actor: Actor) => Promise<CheckedApi>
  /** As it is served. Throws where there is none. */
  servedEndpoint: (id: number) => Promise<SnapshotEndpoint>
  /** An endpoint with nothing but this, of no API yet. With the id 0. */
  bareEndpoint: (route: TriedRoute) => SnapshotEndpoint
  hasEndpoints: (apiId: number) => Promise<boolean>
}

/** Sends requests through the gateway to APIs as their form has them. */
export class UnsavedApiTrials {
  readonly #options: UnsavedApiTrialsOptions

  constructor(options: UnsavedApiTrialsOptions) {
    this.#options = options
  }

  /** For users who could save it and then call it; the base URL itself may be tried while it has no endpoint. */
  async send(
    id: ApiId,
    { definition, endpoint_id, route, ...input }: TryApiInput,
    actor: Actor & { signal: AbortSignal },
  ): Promise<TryItAnswer> {
    refuseWithout(actor.caller, 'request.send')
    if (definition.api_protocol !== 'http') throw fieldError({ 'definition.api_protocol': notHttp })
    const { tryIt, checkUnsavedApi } = this.#options
    const endpoint = await this.#endpointOf(id, { endpoint_id, route }, actor)
    const checked = await checkUnsavedApi(id, definition, actor).catch(throwUnderDefinition)
    const { api, shown } = checked
    const start: Trial['start'] = async (gateway, as) => {
      const { credential, secrets } = await checked.signIn().catch(throwUnderDefinition)
      const unsaved = {
        endpoint: { ...endpoint, api_id: api.id },
        replaces: endpoint_id,
        api: { ...api, credential },
      }
      return { ...(await gateway.startUnsavedTrace(unsaved, as)), secrets }
    }
    const trial = {
      id: endpoint_id,
      apiId: api.id,
      unsaved: shown,
      method: endpoint.method,
      path: endpoint.path,
      context: api.context,
      api: { id, name: api.name },
      start,
    }
    return tryIt.tryOnce(trial, input, actor, actor.signal)
  }

  async #endpointOf(
    id: ApiId,
    { endpoint_id, route }: Pick<TryApiInput, 'endpoint_id' | 'route'>,
    actor: Actor,
  ): Promise<SnapshotEndpoint> {
    const { tryIt, servedEndpoint, bareEndpoint, hasEndpoints } = this.#options
    if (endpoint_id !== null) {
      const endpoint = await servedEndpoint(endpoint_id)
      if (endpoint.api_id !== id) throw fieldError({ endpoint_id: notItsOwn })
      await tryIt.refuseWithoutAccess(endpoint_id, actor)
      return endpoint
    }
    refuseWithout(actor.caller, 'endpoint.create')
    refuseWithout(actor.caller, 'api-permission.edit')
    if (route === null || (id !== null && (await hasEndpoints(id))))
      throw fieldError({ endpoint_id: notItsOwn })
    return bareEndpoint(route)
  }
}

const notHttp = ['Only APIs over HTTP are tried before they are saved.']
const notItsOwn = ['Choose one of the endpoints of this API.']
