import { createContext, use, useEffect } from 'react'
import type { ChangedThing } from './last-change.ts'

interface Hold {
  /** Receives whether a form holds unsaved changes. */
  report: (isUnsaved: boolean) => void
  /** Loads the record again and hands it to the form, which keeps what was typed. Rejects if it fails. */
  fetchNewest?: () => Promise<void>
  /**
   * Loads the record again and begins the form again with it; where `isKept` then says so, what was typed stays.
   * If it fails, the form stays as it is, and a toast says why.
   */
  reload?: (isKept?: () => boolean) => Promise<void>
  /** The form has begun again by `reload`. */
  isReloaded?: boolean
  /** Titles of the open panels of the form: they are open again when it begins again. */
  openPanels?: Set<string>
  /** The record that the form edits. */
  thing?: ChangedThing | undefined
}

export const FormHold = createContext<Hold>({ report: () => undefined })

/** What the `FormLoader` around a form offers. */
export const useHold = (): Hold => use(FormHold)

/** Reports to the `FormLoader` around a form whether its content may be replaced. */
export function useFormHold(isUnsaved: boolean): Hold {
  const hold = useHold()
  const { report } = hold
  useEffect(() => {
    report(isUnsaved)
    return () => report(false)
  }, [report, isUnsaved])
  return hold
}
