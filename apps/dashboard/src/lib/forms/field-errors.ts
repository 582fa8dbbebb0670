import type { FieldErrors } from '@gatehouse/contract'
import { useCallback, useEffect, useRef, type RefObject } from 'react'

/** The first message of each field: the screens show one under each (spec: validation). */
export function firstMessages(errors: FieldErrors): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).flatMap(([field, [first]]) => (first ? [[field, first]] : [])),
  )
}

/** Moves the focus to the first wrong field below `place`, and says whether there is one. */
export function focusFirstInvalid(place: ParentNode | null): boolean {
  const wrong = place?.querySelector<HTMLElement>('[aria-invalid="true"]')
  // Where a field holds buttons or pills, the frame around them is marked.
  const field = wrong?.querySelector<HTMLElement>('input') ?? wrong
  // A form that hides parts of itself shows this one.
  field?.dispatchEvent(new Event('reveal'))
  field?.focus()
  return Boolean(field)
}

/**
 * Moves the focus to the first wrong field of the form after a refusal. Returns the function to call
 * once the messages have been set.
 */
export function useFocusFirstError(form: RefObject<HTMLElement | null>): () => void {
  const isDue = useRef(false)
  // Without dependencies: a later render brings the messages into the document.
  useEffect(() => {
    if (!isDue.current) return
    if (focusFirstInvalid(form.current)) isDue.current = false
  })
  return useCallback(() => {
    isDue.current = true
  }, [])
}
