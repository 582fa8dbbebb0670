import type { QueryClient } from '@tanstack/react-query'
import type { DataRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { Providers } from './providers.tsx'

interface AppProps {
  client: QueryClient
  router: DataRouter
  env?: 'default' | 'test'
}

export function App({ client, router, env = 'default' }: AppProps) {
  return (
    <Providers client={client} env={env}>
      <RouterProvider router={router} />
    </Providers>
  )
}
