import {
  Outlet,
  redirect,
  type PatchRoutesOnNavigationFunction,
  type RouteObject,
} from 'react-router'
import { LoginPage } from '../features/session/login-page.tsx'
import { LoadingScreen } from '../ui/page/loading.tsx'
import { loadMoreTexts } from '../lib/format/language.ts'
import { paths } from '../entities/paths.ts'
import { RootErrorPage } from './shell/root-error-page.tsx'

interface Routes {
  routes: RouteObject[]
  patchRoutesOnNavigation: PatchRoutesOnNavigationFunction
}

const rootId = 'root'

/** The route tree: login, and, once an address asks for more, the shell with every screen in it. */
export function createRoutes(): Routes {
  let isComplete = false
  return {
    routes: [
      {
        id: rootId,
        HydrateFallback: LoadingScreen,
        ErrorBoundary: RootErrorPage,
        Component: Outlet,
        children: [
          { path: paths.login, Component: LoginPage },
          { path: '/admin', loader: () => redirect(paths.home) },
        ],
      },
      // Last: every route of the shell goes before it, once they are there.
      { path: '*', Component: LoadingScreen },
    ],
    // The login page waits for none of it.
    patchRoutesOnNavigation: async ({ patch }) => {
      // The texts first: modules look theirs up once.
      await loadMoreTexts()
      const { laterRoutes } = await import('./shell-route.tsx')
      if (isComplete) return
      isComplete = true
      patch(rootId, laterRoutes())
    },
  }
}
