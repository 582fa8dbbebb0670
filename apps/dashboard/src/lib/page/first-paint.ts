import { useSyncExternalStore, type ReactNode } from 'react'
import { SharedValue } from '../browser/shared-value.ts'

const hasPainted = new SharedValue(true)
let isAwaited = false

/** To be called once, before the page is drawn for the first time: it is then drawn in two steps. */
export function beginFirstPaint(): void {
  hasPainted.set(false)
}

/**
 * Off until the page has been painted once with menu and title, on ever after. What waits for it is drawn next: on
 * a slow machine the first paint comes half a second sooner.
 */
export const useIsPastFirstPaint = () => useSyncExternalStore(subscribe, hasPainted.get)

export function AfterFirstPaint({ children }: { children: ReactNode }) {
  return useIsPastFirstPaint() && children
}

function subscribe(changed: () => void): () => void {
  if (!hasPainted.get() && !isAwaited) {
    isAwaited = true
    // A tab that is not seen is not painted.
    if (document.hidden) setTimeout(end)
    else requestAnimationFrame(() => setTimeout(end))
  }
  return hasPainted.subscribe(changed)
}

const end = () => hasPainted.set(true)
