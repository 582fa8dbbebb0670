import { createContext, use, useEffect } from 'react'

/** Receives whether a form holds unsaved changes. */
export const FormHold = createContext<(isUnsaved: boolean) => void>(() => undefined)

/** Reports to the `FormLoader` around a form whether its content may be replaced. */
export function useFormHold(isUnsaved: boolean): void {
  const report = use(FormHold)
  useEffect(() => {
    report(isUnsaved)
    return () => report(false)
  }, [report, isUnsaved])
}
