import { useLayoutEffect } from 'react'
import { SharedValue, useSharedValue } from '../browser/shared-value.ts'

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

const shown = new SharedValue<Thing | undefined>(undefined)

/**
 * Names what the screen shows, in the breadcrumb and in the window's title, while the caller is mounted.
 * Without a name (it is still being loaded) both show the title of the screen.
 */
export function useThingName(name: string | undefined, { part, within }: More = {}): void {
  const place = within?.name
  const to = within?.to
  useLayoutEffect(() => {
    if (name === undefined) return undefined
    shown.set({
      name,
      part,
      within: place === undefined || to === undefined ? undefined : { name: place, to },
    })
    return () => shown.set(undefined)
  }, [name, part, place, to])
}

/** What the current screen has named; undefined where it names nothing. */
export const useThing = (): Thing | undefined => useSharedValue(shown)
