import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import {
  createContext,
  use,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import type {
  CallInput,
  CallOutput,
  Language,
  Permission,
  Routes,
  SessionUser,
} from '@gatehouse/contract'
import { CallError } from '../calls/call-error.ts'
import { call } from '../calls/call.ts'
import { followForgetting, forgetKept, readKept } from '../browser/kept-storage.ts'
import { showLanguage } from '../format/language.ts'
import { sessionKey } from './session-key.ts'
import { readToken, removeToken, subscribeToToken, writeToken } from './token-store.ts'
import { forgetUnsaved, hasUnsaved } from '../forms/unsaved.ts'

type Session =
  | { status: 'loading' }
  | { status: 'signed-out' }
  | { status: 'signed-in'; user: SessionUser }
  /** The session has ended while a form of this tab has unsaved changes: they wait for the same user. */
  | { status: 'ended'; user: SessionUser; leave: () => void }

const SessionContext = createContext<Session>({ status: 'loading' })

const recheckMs = 60_000

/**
 * Knows who is signed in (spec: states): a stored token is verified on start, and again when the window
 * gets the focus back; a token that fails the check is removed. A login or logout in another tab
 * is followed.
 */
export function SessionProvider({ children }: { children: ReactNode }) {
  const token = useSyncExternalStore(subscribeToToken, readToken)
  const check = useQuery({ ...sessionQuery(token), enabled: token !== null })
  const user = token === null ? undefined : check.data?.user
  const hasFailed = token !== null && check.isLoadingError
  const [waiting, setWaiting] = useWaitingUser(user)
  useChosenLanguage(user === undefined ? undefined : check.data?.language)
  useEffect(followForgetting, [])
  useEffect(() => {
    if (hasFailed) removeToken(token)
  }, [hasFailed, token])

  const session = useMemo((): Session => {
    if (user && (!waiting || waiting.id === user.id)) return { status: 'signed-in', user }
    if (user) return { status: 'loading' }
    if (waiting) return { status: 'ended', user: waiting, leave: () => setWaiting(undefined) }
    return { status: token === null ? 'signed-out' : 'loading' }
  }, [user, token, waiting, setWaiting])
  return <SessionContext value={session}>{children}</SessionContext>
}

const sessionQuery = (token: string | null) =>
  queryOptions({
    queryKey: [...sessionKey, token],
    queryFn: ({ signal }) => call('GET /api/auth', { signal }),
    staleTime: recheckMs,
    // One more try, so that a restart of the server does not end every session.
    retry: (failures, error) => failures < 1 && !isRefusal(error),
    retryDelay: 500,
  })

/** Begins the check of the stored token, if there is one, before anything is drawn. Ends in any case. */
export async function loadSession(client: QueryClient): Promise<void> {
  const token = readToken()
  if (token !== null) await client.prefetchQuery(sessionQuery(token))
}

/** The choice of the user is stronger than the one of this browser. What is typed into a form is not lost for it. */
function useChosenLanguage(chosen: Language | null | undefined) {
  useEffect(() => {
    if (chosen && !hasUnsaved()) showLanguage(chosen)
  }, [chosen])
}

/**
 * The user whose session has ended while a form had unsaved changes, until somebody signs in. Whatever
 * else is known is forgotten with a session: one user's data must never be shown to the next user.
 */
function useWaitingUser(user: SessionUser | undefined) {
  const client = useQueryClient()
  const [waiting, setWaiting] = useState<SessionUser>()
  useEffect(() => {
    const forget = () =>
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[1] !== readToken() })
    if (waiting && user && waiting.id !== user.id) {
      forget()
      // oxlint-disable-next-line react/set-state-in-effect -- no screen is shown before the cache is empty
      setWaiting(undefined)
    }
    return subscribeToToken(() => {
      const last = hasUnsaved() ? (user ?? waiting) : undefined
      setWaiting(last)
      if (!last) forget()
    })
  }, [client, user, waiting])
  return [waiting, setWaiting] as const
}

function isRefusal(error: unknown): boolean {
  return error instanceof CallError && error.status >= 400 && error.status < 500
}

export function useSession(): Session {
  return use(SessionContext)
}

/** The signed-in user. Only for screens inside the shell, which only signed-in users see. */
export function useUser(): SessionUser {
  const session = use(SessionContext)
  if (!('user' in session)) throw new Error('No user is signed in')
  return session.user
}

/**
 * Says whether the user holds a permission; every signed-in user holds `session`. It only hides: the
 * server enforces.
 */
export function useCan(): (permission: Permission | 'session') => boolean {
  const session = use(SessionContext)
  return (permission) =>
    'user' in session && (permission === 'session' || session.user.permissions.includes(permission))
}

export type Credentials = CallInput<Routes['POST /api/login']>['body']

/** Shows recovery codes that a sign-in has made; it goes on once they are kept. */
type ShowOnce = (codes: string[]) => Promise<void>

/** Goes on as the user of a sign-in that the server has answered. */
export function useEnter(): (
  answer: Omit<CallOutput<Routes['POST /api/login']>, 'recovery_codes'>,
) => void {
  const client = useQueryClient()
  return ({ token, ...signedIn }) => {
    client.setQueryData([...sessionKey, token], signedIn)
    writeToken(token)
  }
}

/** Signs in, or throws the `CallError` that says why not. The router then leaves the login page. */
export function useLogin(): (credentials: Credentials, showOnce?: ShowOnce) => Promise<void> {
  const enter = useEnter()
  return async (credentials, showOnce) => {
    const { recovery_codes, ...signedIn } = await call('POST /api/login', { body: credentials })
    if (recovery_codes) await showOnce?.(recovery_codes)
    enter(signedIn)
  }
}

/** Ends the session on the server if it can be reached, and in this browser in any case. */
export function useLogout(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    const token = readToken()
    // Of the provider that the user signed in with. A refused call forgets it.
    const next = readKept('sign-out', 'browser')
    await call('POST /api/logout').catch(() => undefined)
    forgetUnsaved()
    removeToken(token)
    forgetKept()
    client.clear()
    if (next) location.assign(next)
  }
}
