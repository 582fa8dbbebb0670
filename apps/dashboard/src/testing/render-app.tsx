import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter } from 'react-router'
import { vi } from 'vitest'
import type { SessionUser } from '@gatehouse/contract'
import { App } from '../app/app.tsx'
import { createRoutes } from '../app/routes.tsx'
import { createQueryClient } from '../lib/calls/query-client.ts'
import { buildPage, buildUser } from './builders.ts'
import { buildArchive } from './archive-builders.ts'
import { buildGateway, buildTraffic } from './traffic-builders.ts'
import { buildFirstSteps } from './first-steps-builders.ts'
import { fakeServer, type Answers } from './fake-server.ts'

interface RenderOptions {
  path: string
  /** The signed-in user; null for none. */
  user?: SessionUser | null
  answers?: Answers
}

export const sessionToken = 'gh_session_token'

/** What the shell, the home screen and the API list ask for, where a test only passes through. */
const homeAnswers: Answers = {
  'GET /api/traffic': buildTraffic,
  'GET /api/archive': buildArchive,
  'GET /api/gateway': buildGateway,
  'GET /api/installation/hold': () => ({ hold: null }),
  'GET /api/sign-ins': () => [],
  'GET /api/sign-on/offer': () => ({ name: null }),
  'GET /api/document-registers': () => ({ registers: [] }),
  'GET /api/apis': () => buildPage([]),
  'GET /api/access/refusal': () => ({ roles: [], granters: [], has_more: false }),
  'GET /api/first-steps': () => buildFirstSteps(),
  'GET /api/apis/tags': () => [],
  'GET /api/endpoint/tags': () => [],
  'GET /api/alarms': () => buildPage([]),
  'GET /api/alarms/bell': () => ({ count: 0, alarms: [], checked_at: null }),
  'GET /api/runs': () => buildPage([]),
  'GET /api/runs/unknown': () => ({ count: 0, oldest: null }),
  'GET /api/home': () => ({ waiting: [], documents: { days: [], authorities: [] } }),
  'GET /api/lanes': () => ({ lanes: [] }),
  'GET /api/audit': () => buildPage([]),
  'GET /api/schedules': () => buildPage([]),
}

/** The whole dashboard over a fake server, at one address. */
export function renderApp({ path, user = buildUser(), answers = {} }: RenderOptions) {
  if (user) localStorage.setItem('authToken', sessionToken)
  const server = fakeServer({
    ...(user ? { 'GET /api/auth': () => ({ user }) } : {}),
    ...homeAnswers,
    ...answers,
  })
  const { routes, patchRoutesOnNavigation } = createRoutes()
  const router = createMemoryRouter(routes, { initialEntries: [path], patchRoutesOnNavigation })
  const client = createQueryClient()
  render(<App client={client} router={router} env="test" />)
  return { server, router, client, browser: userEvent.setup(), address: () => addressOf(router) }
}

function addressOf(router: ReturnType<typeof createMemoryRouter>): string {
  const { pathname, search } = router.state.location
  return pathname + search
}

/** Failed fetches are logged (spec: messages): keeps that out of the report, and lets a test look at it. */
export function watchConsoleErrors() {
  return vi.spyOn(console, 'error').mockImplementation(() => undefined)
}
