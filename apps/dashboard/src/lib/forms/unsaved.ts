import { useEffect } from 'react'

const forms = new Set<symbol>()

/** Counts a form among those that would lose something, while it has unsaved changes. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined
    const form = Symbol('form')
    forms.add(form)
    return () => void forms.delete(form)
  }, [isUnsaved])
}

/** Whether a form of this tab has changes that are not saved. */
export const hasUnsaved = (): boolean => forms.size > 0

/** The user gives up what is not saved, as by a logout. */
export const forgetUnsaved = (): void => forms.clear()
