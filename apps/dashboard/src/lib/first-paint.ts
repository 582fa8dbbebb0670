import { useSyncExternalStore, type ReactNode } from 'react'

let hasPainted = true
let isAwaited = false
const readers = new Set<() => void>()

/** To be called once, before the page is drawn for the first time: it is then drawn in two steps. */
export function beginFirstPaint(): void {
  hasPainted = false
}

/**
 * Off until the page has been painted once with menu and title, on ever after. What waits for it is drawn next: on
 * a slow machine the first paint comes half a second sooner.
 */
export const useIsPastFirstPaint = () => useSyncExternalStore(subscribe, () => hasPainted)

export function AfterFirstPaint({ children }: { children: ReactNode }) {
  return useIsPastFirstPaint() && children
}

function subscribe(changed: () => void): () => void {
  readers.add(changed)
  if (!hasPainted && !isAwaited) {
    isAwaited = true
    // A tab that is not seen is not painted.
    if (document.hidden) setTimeout(end)
    else requestAnimationFrame(() => setTimeout(end))
  }
  return () => readers.delete(changed)
}

function end() {
  hasPainted = true
  for (const changed of readers) changed()
}
