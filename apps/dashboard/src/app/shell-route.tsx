import { useParams, type RouteObject } from 'react-router'
import { paths } from '../entities/paths.ts'
import { WithSentences } from '../lib/calls/server-words.tsx'
import type { Screen, ScreenHandle } from './screen.ts'
import { screens } from './screens.tsx'
import { NotFoundPage } from './shell/failure-pages.tsx'
import { ErrorPage } from './shell/root-error-page.tsx'
import { Shell } from './shell/shell.tsx'

/** What the login page does without: the shell with every screen in it, and what a link opens without it. */
export const laterRoutes = (): RouteObject[] => [
  { Component: WithSentences, children: laterScreens() },
]

const laterScreens = (): RouteObject[] => [
  {
    path: paths.sharedDocs,
    lazy: async () => ({
      Component: (await import('../features/consumer-docs/shared-docs-page.tsx')).SharedDocsPage,
    }),
  },
  {
    path: paths.passwordForgotten,
    lazy: async () => ({
      Component: (await import('../features/session/password-forgotten-page.tsx'))
        .PasswordForgottenPage,
    }),
  },
  {
    path: paths.passwordLink,
    lazy: async () => ({
      Component: (await import('../features/session/password-link-page.tsx')).PasswordLinkPage,
    }),
  },
  shellRoute(),
]

/** Its last route says that there is no such screen. */
function shellRoute(): RouteObject {
  return {
    Component: Shell,
    children: [
      {
        // Inside the shell, so that a broken screen leaves the menu usable.
        ErrorBoundary: ErrorPage,
        children: [...screens.flatMap(screenRoutes), { path: '*', Component: NotFoundPage }],
      },
    ],
  }
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
