import { readToken } from '../session/token-store.ts'

const prefix = 'gatehouse.'
const signOutKey = 'gatehouse-signed-out'
let isForgotten = false

/** `tab` ends with the tab; `browser` outlives it, and is shared by all tabs. */
type Place = 'tab' | 'browser'
const storageOf = (place: Place) => (place === 'tab' ? sessionStorage : localStorage)

/** What a page kept under this name, or null. */
export const readKept = (name: string, place: Place = 'tab'): string | null =>
  storageOf(place).getItem(prefix + name)

/**
 * Keeps a text through a reload of the tab. Throws where the storage is full or forbidden. After a
 * logout nothing is kept until the next login, so that a late answer can't store anything.
 */
export function writeKept(name: string, text: string, place: Place = 'tab'): void {
  if (isForgotten && readToken() === null) return
  isForgotten = false
  storageOf(place).setItem(prefix + name, text)
}

export const dropKept = (name: string, place: Place): void =>
  storageOf(place).removeItem(prefix + name)

/** The names that begin with `start`. */
export const keptNames = (start: string, place: Place): string[] =>
  Object.keys(storageOf(place))
    .filter((key) => key.startsWith(prefix + start))
    .map((key) => key.slice(prefix.length))

/** Removes everything that pages kept, in this tab and in the others: it may hold tax documents. */
export function forgetKept(): void {
  forgetHere()
  // Only other tabs receive the event of a change, and each tab has its own session storage.
  localStorage.setItem(signOutKey, new Date().toISOString())
  localStorage.removeItem(signOutKey)
}

/** Follows a logout in another tab. Returns how to stop. */
export function followForgetting(): () => void {
  const handleStorage = ({ key, newValue }: StorageEvent) => {
    if (key === signOutKey && newValue !== null) forgetHere()
  }
  window.addEventListener('storage', handleStorage)
  return () => window.removeEventListener('storage', handleStorage)
}

function forgetHere(): void {
  isForgotten = true
  for (const place of ['tab', 'browser'] as const)
    for (const name of keptNames('', place)) dropKept(name, place)
}
