import type { AppCore, AppOptions } from '../app-core.ts'
import type { createApis } from '../features/apis/create-apis.ts'
import { bareEndpoint } from '../features/endpoints/bare-endpoint.ts'
import type { createEndpoints } from '../features/endpoints/create-endpoints.ts'
import type { createRoles } from '../features/roles/create-roles.ts'
import type { createTokens } from '../features/tokens/create-tokens.ts'
import { createTryIt } from '../features/try-it/create-try-it.ts'
import { servedUnsavedApi } from '../publishing/served-unsaved-api.ts'
import { servedStored, servedUnsaved } from '../publishing/snapshot-endpoint.ts'

interface TryItParts {
  apis: ReturnType<typeof createApis>
  endpoints: ReturnType<typeof createEndpoints>
  roles: ReturnType<typeof createRoles>
  tokens: ReturnType<typeof createTokens>
}

/** Wires _Try it_: what is tried is served as the gateway would serve it. */
export function createTryItFeature(
  { common: { stores }, signIn }: AppCore,
  { gateway, secrets }: AppOptions,
  { apis, endpoints, roles, tokens }: TryItParts,
) {
  return createTryIt({
    stores,
    tokenToTry: (id, actor) => tokens.service.toTry(id, actor),
    roleToTry: (id, actor) => roles.service.toTry(id, actor),
    gateway,
    getApi: (id) => apis.service.get(id),
    getEndpoint: (id) => endpoints.service.getRoute(id),
    mayCall: (id, caller) => endpoints.targets.mayCall(id, caller),
    checkUnsaved: async (definition, id, actor) => {
      const { row, route, ...facts } = await endpoints.service.getUnsaved(definition, id, actor)
      return { ...route, ...facts, endpoint: servedUnsaved(row) }
    },
    secretsOf: async (apiId) => [
      ...(await signIn.service.secretsAt({ apiId, which: 'live' })),
      // The token that is tried may lead to the draft.
      ...(await apis.secretsOfDraft(apiId)),
    ],
    checkUnsavedApi: async (id, definition, actor) =>
      servedUnsavedApi(await apis.readUnsaved(id, definition, actor), {
        box: secrets,
        signIn: signIn.service,
      }),
    servedEndpoint: async (id) => servedStored(await endpoints.service.get(id)),
    bareEndpoint: (route) => servedUnsaved(bareEndpoint(route)),
    hasEndpoints: async (apiId) => (await stores.endpoints.listOfApis([apiId], 1)).length > 0,
  })
}
