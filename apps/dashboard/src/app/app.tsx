import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import type { DataRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { MantineProvider, useComputedColorScheme } from '@mantine/core'
import type { ReactNode } from 'react'
import { ToastContainer } from 'react-toastify'
import { SessionProvider } from '../lib/session.tsx'
import { cssVariables, theme } from './theme.ts'

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

interface ProvidersProps {
  client: QueryClient
  /** `test` leaves out transitions and what needs a layout. */
  env?: 'default' | 'test'
  children: ReactNode
}

/** What every screen needs: theme, cache, session, toasts. */
function Providers({ client, env = 'default', children }: ProvidersProps) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      env={env}
    >
      <QueryClientProvider client={client}>
        <SessionProvider>{children}</SessionProvider>
        <Toasts />
      </QueryClientProvider>
    </MantineProvider>
  )
}

/** The library's defaults are the spec's (spec: limits): top-right, 5000 ms, Alt+T, drag-dismiss at 80 %. */
function Toasts() {
  const colorScheme = useComputedColorScheme('light')
  return <ToastContainer theme={colorScheme} />
}
