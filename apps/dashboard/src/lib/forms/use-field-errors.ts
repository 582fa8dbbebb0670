import { useCallback, useRef, useState } from 'react'
import { CallError } from '../calls/call-error.ts'
import { firstMessages, useFocusFirstError } from './field-errors.ts'

/** The messages of a 422 under their fields, each until its field is edited or sent again. */
export function useFieldErrors() {
  const [errors, setErrors] = useState<Record<string, string>>({})
  const form = useRef<HTMLFormElement>(null)
  const focusFirstError = useFocusFirstError(form)
  const attachForm = useCallback((element: HTMLFormElement | null) => {
    form.current = element
  }, [])

  function showErrors(error: unknown) {
    if (!(error instanceof CallError)) return
    setErrors(firstMessages(error.errors))
    if (error.status === 422) focusFirstError()
  }
  const clearError = useCallback((field: string) => {
    setErrors((errors) =>
      field in errors
        ? Object.fromEntries(Object.entries(errors).filter(([name]) => name !== field))
        : errors,
    )
  }, [])
  return { errors, attachForm, showErrors, clearError, clearErrors: () => setErrors({}) }
}
