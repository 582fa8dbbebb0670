import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'

export const pageTitleId = 'page-title'
export const mainId = 'main'

/**
 * After a change of screen, moves the focus to its title (or to the content, where there is none),
 * as a browser does when it loads a page. The first screen keeps the browser's own focus.
 */
export function usePageFocus(pathname: string): void {
  const shown = useRef(pathname)
  // In the same step as the screen: later, it would take the focus from what the user has gone to already.
  useLayoutEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    window.scrollTo(0, 0)
    // The address changes first: the palette may have been opened while the screen was coming, and is typed in.
    if (document.activeElement?.matches('[role="dialog"] [role="combobox"]')) return
    const target = document.getElementById(pageTitleId) ?? document.getElementById(mainId)
    target?.focus({ preventScroll: true })
  }, [pathname])
}

/** As a `ref`: gives the focus to what has just been shown at the user's own request. */
export function focusWhenShown(element: HTMLElement | null): void {
  element?.focus()
}

/**
 * Gives the focus to the first field in the element, unless the user has gone elsewhere already. For screens that are
 * there to be filled in.
 */
export function useFirstFieldFocus(element: RefObject<HTMLElement | null>, isWanted = true): void {
  // After the focus of the screen, which is set before anything is painted.
  useEffect(() => {
    const { activeElement } = document
    const isFree =
      activeElement === document.body || activeElement?.matches(`#${pageTitleId}, #${mainId}`)
    // A keyboard would cover half of a phone.
    if (!isWanted || !isFree || isTouched()) return
    element.current
      ?.querySelector<HTMLElement>(
        'input:is([type=text],[type=email],:not([type])):enabled, textarea:enabled',
      )
      ?.focus({ preventScroll: true })
  }, [element, isWanted])
}

// In two parts: the build would take the whole for a text of the screen.
const coarse = 'coarse'
const isTouched = () => matchMedia(`(pointer: ${coarse})`).matches
