import type { FieldErrors } from '@gatehouse/contract'
import { useCallback, useEffect, useRef, type RefObject } from 'react'

/** The first message of each field: the screens show one under each (spec: validation). */
export function firstMessages(errors: FieldErrors): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).flatMap(([field, [first]]) => (first ? [[field, first]] : [])),
  )
}

/**
 * Moves the focus to the first wrong field of the form each time a refusal arrives. Returns what
 * to call once the messages are on their way to the screen.
 */
export function useFocusFirstError(form: RefObject<HTMLElement | null>): () => void {
  const isDue = useRef(false)
  // Without dependencies: the messages reach the document with some render after the call.
  useEffect(() => {
    if (!isDue.current) return
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (!wrong) return
    isDue.current = false
    // Where a field has buttons or pills in it, it is the frame around them all that is marked.
    const field = wrong.querySelector<HTMLElement>('input') ?? wrong
    field.focus()
  })
  return useCallback(() => {
    isDue.current = true
  }, [])
}
