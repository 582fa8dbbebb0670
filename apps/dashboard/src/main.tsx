import './app/styles.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { App } from './app/app.tsx'
import { createRoutes } from './app/routes.tsx'
import { createQueryClient } from './lib/query-client.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

const { routes, patchRoutesOnNavigation } = createRoutes()
const router = createBrowserRouter(routes, { patchRoutesOnNavigation })

createRoot(root).render(
  <StrictMode>
    <App client={createQueryClient()} router={router} />
  </StrictMode>,
)
