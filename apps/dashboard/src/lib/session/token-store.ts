// The storage key is the specification's (spec: limits).
const storageKey = 'authToken'
// See `lib/browser/kept-storage.ts`. The address holds the ID token of the user who has this session.
const signOutKey = 'gatehouse.sign-out'
const listeners = new Set<() => void>()

/** The login token kept by this browser, or null. */
export function readToken(): string | null {
  return localStorage.getItem(storageKey) || null
}

/** A new session. Where the one before it would have signed out is forgotten. */
export function writeToken(token: string): void {
  localStorage.removeItem(signOutKey)
  localStorage.setItem(storageKey, token)
  notifyListeners()
}

/**
 * Forgets the token, and where its session would sign out. With `unlessReplaced`, only if that is still the
 * stored one: a late 401 of an earlier session must not end the present one.
 */
export function removeToken(unlessReplaced?: string | null): void {
  if (unlessReplaced !== undefined && readToken() !== unlessReplaced) return
  localStorage.removeItem(storageKey)
  localStorage.removeItem(signOutKey)
  notifyListeners()
}

/** Calls back whenever the token changes, in this tab or in another. */
export function subscribeToToken(listener: () => void): () => void {
  const handleStorage = (event: StorageEvent) => {
    // A null key means that the whole storage was cleared.
    if (event.key === storageKey || event.key === null) listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', handleStorage)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', handleStorage)
  }
}

function notifyListeners() {
  for (const listener of listeners) listener()
}
