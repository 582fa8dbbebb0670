// The storage key is the specification's (spec: limits).
const storageKey = 'authToken'
const listeners = new Set<() => void>()

/** The login token kept by this browser, or null. */
export function readToken(): string | null {
  return localStorage.getItem(storageKey) || null
}

export function writeToken(token: string): void {
  localStorage.setItem(storageKey, token)
  notifyListeners()
}

/**
 * Forgets the token. With `unlessReplaced`, only if that is still the stored one: a late 401 of an
 * earlier session must not end the present one.
 */
export function removeToken(unlessReplaced?: string | null): void {
  if (unlessReplaced !== undefined && readToken() !== unlessReplaced) return
  localStorage.removeItem(storageKey)
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
