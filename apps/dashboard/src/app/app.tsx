import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import type { DataRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { DirectionProvider, MantineProvider } from '@mantine/core'
import { useEffect, useReducer, useState, useSyncExternalStore, type ReactNode } from 'react'
import { direction } from '../lib/format/language.ts'
import { lazyPart } from '../lib/page/lazy-part.tsx'
import { onFirstToast } from '../lib/page/notify.tsx'
import { RouterSource } from '../lib/page/router-source.ts'
import { SessionProvider, useSession } from '../lib/session/session.tsx'
import { whenIdle } from '../lib/page/when-idle.ts'
import { cssVariables, theme } from './theme.ts'

interface AppProps {
  client: QueryClient
  router: DataRouter
  env?: 'default' | 'test'
}

export function App({ client, router, env = 'default' }: AppProps) {
  return (
    <Providers client={client} env={env}>
      <RouterSource value={router}>
        <Screens router={router} />
      </RouterSource>
    </Providers>
  )
}

/** The first screen is drawn in one go; the next ones in slices, so that what is on screen stays usable. */
function Screens({ router }: Pick<AppProps, 'router'>) {
  const [subscribe] = useState(() => (changed: () => void) => router.subscribe(changed))
  const isStarted = useSyncExternalStore(subscribe, () => router.state.initialized)
  return <RouterProvider router={router} {...(isStarted ? {} : { useTransitions: false })} />
}

interface ProvidersProps {
  client: QueryClient
  /** `test` leaves out transitions, what needs a layout, and the variables of the theme, of which nothing is seen. */
  env?: 'default' | 'test'
  children: ReactNode
}

/** What every screen needs: theme, cache, session, toasts. */
function Providers({ client, env = 'default', children }: ProvidersProps) {
  return (
    <DirectionProvider initialDirection={direction} detectDirection={false}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        // All of them are written by script; a file with the library's own would be loaded in vain.
        deduplicateCssVariables={false}
        withCssVariables={env !== 'test'}
        defaultColorScheme="auto"
        env={env}
      >
        <QueryClientProvider client={client}>
          <SessionProvider>
            {children}
            <Toasts />
          </SessionProvider>
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  )
}

const ToastPlace = lazyPart(async () => (await import('./toasts.tsx')).ToastPlace)

/**
 * The place of toasts. It is loaded after a user who is signed in has done something for the first time, so
 * that it is there when that has an outcome, even if the server is not. What was done is drawn before.
 */
function Toasts() {
  const isSignedIn = useSession().status === 'signed-in'
  const [isWanted, want] = useReducer(() => true, false)
  useEffect(() => onFirstToast(want), [])
  useEffect(() => {
    if (!isSignedIn) return undefined
    const stop = new AbortController()
    for (const event of ['pointerdown', 'keydown'])
      window.addEventListener(event, () => whenIdle(want), { signal: stop.signal, once: true })
    return () => stop.abort()
  }, [isSignedIn])
  return isWanted && <ToastPlace />
}
