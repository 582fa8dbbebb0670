import { useLayoutEffect, useRef } from 'react'

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
