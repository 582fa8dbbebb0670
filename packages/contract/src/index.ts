import * as apis from './apis.ts'
import * as contexts from './contexts.ts'
import * as endpoints from './endpoints.ts'
import * as runs from './runs.ts'
import * as session from './session.ts'
import type { RouteKey } from './kernel/route.ts'

export * from './apis.ts'
export * from './contexts.ts'
export * from './endpoints.ts'
export * from './kernel/errors.ts'
export * from './kernel/fields.ts'
export * from './kernel/paging.ts'
export * from './kernel/permissions.ts'
export * from './kernel/route.ts'
export * from './runs.ts'
export * from './session.ts'

/** Every call of the admin API. A sweep in the server's tests holds the mounted routes against it. */
export const routes = [
  session.login,
  session.currentUser,
  session.logout,
  apis.listApis,
  apis.createApi,
  apis.editApi,
  apis.updateApi,
  apis.deleteApi,
  endpoints.listEndpoints,
  endpoints.endpointForm,
  endpoints.createEndpoint,
  endpoints.editEndpoint,
  endpoints.updateEndpoint,
  endpoints.deleteEndpoint,
  contexts.listContexts,
  contexts.updateContext,
  runs.buildRequestForm,
  runs.getData,
  runs.prepareData,
] as const

/** Routes by name, for `call('POST /api/apis', …)` in the dashboard, which imports types only. */
export type Routes = { [R in (typeof routes)[number] as RouteKey<R>]: R }
