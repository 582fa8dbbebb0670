import { QueryCache, QueryClient } from '@tanstack/react-query'
import { CallError, isAbort } from './call-error.ts'
import { sessionKey } from '../session/session-key.ts'

/**
 * The only cache of server state. Screens show failures with a Retry button, so no call is repeated
 * automatically. Calls are made although the browser reports to be offline, because the server may be
 * on the same machine.
 */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: handleError }),
    defaultOptions: {
      queries: { retry: false, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  })
  function handleError(error: unknown) {
    if (isAbort(error) || (error instanceof CallError && error.status === 401)) return
    // oxlint-disable-next-line no-console -- spec: messages: a failed fetch is logged to the console.
    console.error(error)
    // Permissions were taken away since the session was checked: the menu and buttons follow.
    if (error instanceof CallError && error.code === 'permission.denied') {
      void client.invalidateQueries({ queryKey: sessionKey })
    }
  }
  return client
}
