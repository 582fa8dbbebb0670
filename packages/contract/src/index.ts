import * as modules from './modules.ts'
import { declaredRoutes, type Route, type RouteKey } from './kernel/route.ts'

export * from './modules.ts'

type Exports = typeof modules
type AnyRoute = {
  [K in keyof Exports]: Exports[K] extends Route ? Exports[K] : never
}[keyof Exports]

/**
 * Every call of the admin API: each one that a module declares and exports. A sweep in the server's
 * tests holds the mounted routes against it.
 */
export const routes = declaredRoutes(modules) as readonly AnyRoute[]

/** The name by which a route is exported: what clients call it (`operationId`). */
export const routeNames: ReadonlyMap<Route, string> = new Map(
  Object.entries(modules).flatMap(([name, value]) =>
    (routes as readonly unknown[]).includes(value) ? [[value as Route, name]] : [],
  ),
)

/** Routes by name, for `call('POST /api/apis', …)` in the dashboard, which imports types only. */
export type Routes = { [R in AnyRoute as RouteKey<R>]: R }
