import { MantineProvider } from '@mantine/core'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { SessionProvider } from '../lib/session.tsx'
import { cssVariables, theme } from './theme.ts'
import { Toasts } from './toasts.tsx'

interface ProvidersProps {
  client: QueryClient
  children: ReactNode
}

/** Everything that every screen stands on: theme, cache, session, toasts. */
export function Providers({ client, children }: ProvidersProps) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={client}>
        <SessionProvider>{children}</SessionProvider>
        <Toasts />
      </QueryClientProvider>
    </MantineProvider>
  )
}
