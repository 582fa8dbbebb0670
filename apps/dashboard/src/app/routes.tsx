import { Outlet, redirect, useParams, type RouteObject } from 'react-router'
import { LoadingScreen } from '../ui/loading.tsx'
import { paths } from '../entities/paths.ts'
import type { Screen, ScreenHandle } from './screen.ts'
import { screens } from './screens.tsx'
import { ErrorPage, RootErrorPage, NotFoundPage } from './shell/failure-pages.tsx'
import { Shell } from './shell/shell.tsx'

/** The route tree: login, the shell with every screen in it, and what to show where none is. */
export function createRoutes(): RouteObject[] {
  return [
    {
      HydrateFallback: LoadingScreen,
      ErrorBoundary: RootErrorPage,
      Component: Outlet,
      children: [
        {
          path: paths.login,
          lazy: async () => ({
            Component: (await import('../features/session/login-page.tsx')).LoginPage,
          }),
        },
        { path: '/admin', loader: () => redirect(paths.home) },
        {
          Component: Shell,
          children: [
            {
              // Inside the shell, so that a broken screen leaves the menu usable.
              ErrorBoundary: ErrorPage,
              children: [...screens.flatMap(screenRoutes), { path: '*', Component: NotFoundPage }],
            },
          ],
        },
      ],
    },
  ]
}

function screenRoutes(screen: Screen): RouteObject[] {
  const handle: ScreenHandle = { screen }
  return screen.paths.map((path) => ({
    path,
    handle,
    lazy: async () => {
      const Page = await screen.load()
      return { Component: () => <Remounted page={Page} /> }
    },
  }))
}

/** Another record is another form: nothing typed into one may be left standing in the next. */
function Remounted({ page: Page }: { page: Awaited<ReturnType<Screen['load']>> }) {
  const { id } = useParams()
  return <Page key={id} />
}
