import { useState } from 'react'
import { readObject, toObject } from '../../lib/browser/kept-json.ts'
import { useUser } from '../../lib/session/session.tsx'
import type { Screen } from '../screen.ts'

/** How a user wants the sidebar. Kept in this browser, beyond a logout too. */
export interface MenuChoices {
  /** `byDefault`: where the user has not chosen. */
  isOpen: (group: string, byDefault: boolean) => boolean
  setOpen: (group: string, isOpen: boolean) => void
  isPinned: (screen: Screen) => boolean
  togglePin: (screen: Screen) => void
}

interface Kept {
  open: Record<string, unknown>
  /** Addresses of the screens. */
  pinned: Record<string, unknown>
}

export function useMenuChoices(): MenuChoices {
  const key = `gatehouse-menu.${useUser().id}`
  const [kept, setKept] = useState(() => read(key))
  // On what is kept now, which another tab may have changed.
  function change(toNext: (now: Kept) => Kept) {
    const next = toNext(read(key))
    setKept(next)
    try {
      localStorage.setItem(key, JSON.stringify(next))
    } catch {
      // Where nothing can be stored the last choice holds until the page is left.
    }
  }
  return {
    isOpen: (group, byDefault) => {
      const chosen = kept.open[group]
      return typeof chosen === 'boolean' ? chosen : byDefault
    },
    setOpen: (group, isOpen) =>
      change(({ open, pinned }) => ({ open: { ...open, [group]: isOpen }, pinned })),
    isPinned: ({ paths: [path] }) => kept.pinned[path] === true,
    togglePin: ({ paths: [path] }) =>
      change(({ open, pinned }) => ({
        open,
        pinned: { ...pinned, [path]: pinned[path] !== true },
      })),
  }
}

function read(key: string): Kept {
  const kept = readObject(localStorage.getItem(key))
  return { open: toObject(kept['open']), pinned: toObject(kept['pinned']) }
}
