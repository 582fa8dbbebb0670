import { createContext, use, useEffect } from 'react'

/** Told whether a form holds what has not been saved yet. */
export const FormHold = createContext<(isUnsaved: boolean) => void>(() => undefined)

/** Reports to the `FormLoader` around a form whether what it shows may be replaced. */
export function useFormHold(isUnsaved: boolean): void {
  const report = use(FormHold)
  useEffect(() => {
    report(isUnsaved)
    return () => report(false)
  }, [report, isUnsaved])
}
