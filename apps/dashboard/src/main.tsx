import './app/styles.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { App } from './app/app.tsx'
import { createRoutes } from './app/routes.tsx'
import { beginFirstPaint } from './lib/page/first-paint.ts'
import { createQueryClient } from './lib/calls/query-client.ts'
import { loadSession } from './lib/session/session.tsx'

/** Mostly all is there that the first screen needs. If not, the user is told by then that it is loading. */
const patienceMs = 200

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

beginFirstPaint()
const client = createQueryClient()
const session = loadSession(client)
const { routes, patchRoutesOnNavigation } = createRoutes()
const router = createBrowserRouter(routes, { patchRoutesOnNavigation })
const firstScreen = new Promise<void>((resolve) => {
  if (router.state.initialized) resolve()
  else router.subscribe(({ initialized }) => initialized && resolve())
})

const patience = new Promise((resolve) => setTimeout(resolve, patienceMs))
void Promise.race([patience, Promise.all([session, firstScreen])]).then(() =>
  createRoot(root).render(
    <StrictMode>
      <App client={client} router={router} />
    </StrictMode>,
  ),
)
