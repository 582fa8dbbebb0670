import { useNavigate } from 'react-router'
import { lastAddressOf } from '../page/last-address.ts'
import { useIsHere } from '../page/screen-address.ts'

/**
 * Leads on from a form that is done with, to a path: Back then leads to the screen before the form. Where that
 * screen is the target, it leads back to it, as it was left.
 */
export function useLeaveForm(): (path: string) => void {
  const isHere = useIsHere()
  const navigate = useNavigate()
  return (path) => {
    if (!isHere()) return
    if (pathBefore() === path) void navigate(-1)
    else void navigate(lastAddressOf(path), { replace: true })
  }
}

/** Undefined also where the browser does not say. */
function pathBefore(): string | undefined {
  const { navigation } = window as Partial<Pick<Window, 'navigation'>>
  const index = navigation?.currentEntry?.index ?? 0
  const address = navigation?.entries()[index - 1]?.url
  return address ? new URL(address).pathname : undefined
}
