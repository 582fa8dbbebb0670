import { useState } from 'react'

const storageKey = 'gatehouse-menu-folded'

/** Whether the sidebar shows icons only. This browser remembers it, beyond a logout too. */
export function useMenuFold(): [isFolded: boolean, toggle: () => void] {
  const [isFolded, setIsFolded] = useState(() => localStorage.getItem(storageKey) !== null)
  function toggle() {
    if (isFolded) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, '1')
    setIsFolded(!isFolded)
  }
  return [isFolded, toggle]
}
