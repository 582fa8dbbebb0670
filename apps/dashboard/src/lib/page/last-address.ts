// Where a list was left: its search text, order and page are in its address.

const searches = new Map<string, string>()

export function noteAddress(pathname: string, search: string): void {
  searches.set(pathname, search)
}

/** For the next user of the same window. */
export function forgetAddresses(): void {
  searches.clear()
}

/** The screen as it was last seen, with what was searched for and sorted by. */
export const lastAddressOf = (path: string): string => `${path}${searches.get(path) ?? ''}`
