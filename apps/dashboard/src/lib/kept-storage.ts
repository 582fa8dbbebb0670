import { readToken } from './token-store.ts'

const prefix = 'gatehouse.'
const signOutKey = 'gatehouse-signed-out'
let isForgotten = false

/** What a page kept in this tab under this name, or null. */
export const readKept = (name: string): string | null => sessionStorage.getItem(prefix + name)

/**
 * Keeps a text through a reload of the tab. Throws where the storage is full or forbidden. After a
 * logout nothing is kept until the next login, so that a late answer can't store anything.
 */
export function writeKept(name: string, text: string): void {
  if (isForgotten && readToken() === null) return
  isForgotten = false
  sessionStorage.setItem(prefix + name, text)
}

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
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(prefix)) sessionStorage.removeItem(key)
}
