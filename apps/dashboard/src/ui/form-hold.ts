import { createContext, use, useEffect } from 'react'
import type { ChangedThing } from '../lib/last-change.ts'

interface Hold {
  /** Receives whether a form holds unsaved changes. */
  report: (isUnsaved: boolean) => void
  /** Loads the record again and hands it to the form, which keeps what was typed. Rejects if it fails. */
  fetchNewest?: () => Promise<void>
  /** The record that the form edits. */
  thing?: ChangedThing | undefined
}

export const FormHold = createContext<Hold>({ report: () => undefined })

/** Reports to the `FormLoader` around a form whether its content may be replaced. */
export function useFormHold(isUnsaved: boolean): Hold {
  const hold = use(FormHold)
  const { report } = hold
  useEffect(() => {
    report(isUnsaved)
    return () => report(false)
  }, [report, isUnsaved])
  return hold
}
