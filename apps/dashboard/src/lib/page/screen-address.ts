import { useContext } from 'react'
import {
  useLocation,
  useNavigate,
  useSearchParams,
  type DataRouter,
  type Location,
  type NavigateOptions,
} from 'react-router'
import { RouterSource } from './router-source.ts'

/**
 * Whether the screen that was rendered is the one that the user wants, at the moment of the call. False
 * also while the next screen is being loaded. What was begun on a screen asks before it leads anywhere.
 */
export function useIsHere(): () => boolean {
  const router = useContext(RouterSource)
  const { pathname } = useLocation()
  return () => router === undefined || latestOf(router).pathname === pathname
}

/** Leads on, for what ends late: nobody is called back who has gone elsewhere meanwhile. */
export function useNavigateIfHere(): (to: string) => void {
  const isHere = useIsHere()
  const navigate = useNavigate()
  return (to) => {
    if (isHere()) void navigate(to)
  }
}

type Changes = Readonly<Record<string, string | null | undefined>>

/**
 * The query of the address, and how to change it. A blank, null or absent value removes a parameter. Changes
 * that follow on each other add up, also before the first of them is rendered.
 */
export function useScreenAddress() {
  const router = useContext(RouterSource)
  const shown = useLocation()
  const [address] = useSearchParams()
  const navigate = useNavigate()

  function change(changes: Changes, options: NavigateOptions = {}) {
    const now = router === undefined ? shown : latestOf(router, shown.pathname)
    // The next screen is there already, and about to be rendered.
    if (now.pathname !== shown.pathname) return
    const next = new URLSearchParams(now.search)
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    void navigate({ pathname: shown.pathname, search: next.toString() }, options)
  }
  return { address, change }
}

/** Where the router is, or is going; `wanted`: where it is, if it is going away from that path. */
function latestOf({ state }: DataRouter, wanted?: string): Location {
  const next = state.navigation.location
  if (next === undefined) return state.location
  return wanted === undefined || next.pathname === wanted ? next : state.location
}
