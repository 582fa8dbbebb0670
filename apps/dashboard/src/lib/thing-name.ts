import { useLayoutEffect, useSyncExternalStore } from 'react'

/** What a screen shows, as the breadcrumb and the window's title name it. */
export interface Thing {
  /** The thing's own name: "Authority sandbox", "Run 12 · INV-5 · Outcome unknown". */
  name: string
  /** What is done with it or which part of it is shown: "Edit", "Endpoints". It follows the name. */
  part?: string | undefined
  /** The thing that it belongs to, which comes before it. */
  within?: { name: string; to: string } | undefined
}

type More = Omit<Thing, 'name'>

let shown: Thing | undefined
const listeners = new Set<() => void>()

function show(thing: Thing | undefined): void {
  shown = thing
  for (const listener of listeners) listener()
}

/**
 * Names what the screen shows, in the breadcrumb and in the window's title, while the caller is mounted.
 * Without a name (it is still being loaded) both show the title of the screen.
 */
export function useThingName(name: string | undefined, { part, within }: More = {}): void {
  const place = within?.name
  const to = within?.to
  useLayoutEffect(() => {
    if (name === undefined) return undefined
    show({
      name,
      part,
      within: place === undefined || to === undefined ? undefined : { name: place, to },
    })
    return () => show(undefined)
  }, [name, part, place, to])
}

/** What the current screen has named; undefined where it names nothing. */
export const useThing = (): Thing | undefined => useSyncExternalStore(subscribe, () => shown)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
