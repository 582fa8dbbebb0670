import { MantineProvider } from '@mantine/core'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { SessionProvider } from '../lib/session.tsx'
import { cssVariables, theme } from './theme.ts'
import { Toasts } from './toasts.tsx'

interface ProvidersProps {
  client: QueryClient
  /** `test` leaves out transitions and what needs a layout. */
  env?: 'default' | 'test'
  children: ReactNode
}

/** What every screen needs: theme, cache, session, toasts. */
export function Providers({ client, env = 'default', children }: ProvidersProps) {
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
