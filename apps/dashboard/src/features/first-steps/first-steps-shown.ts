/** A user closed the checklist in this browser, or the product is in use: nothing is asked for it again. */
const key = 'gatehouse-first-steps'

export function areStepsOver(): boolean {
  try {
    return localStorage.getItem(key) === 'over'
  } catch {
    return false
  }
}

export function noteStepsOver(): void {
  try {
    localStorage.setItem(key, 'over')
  } catch {
    // The storage is full or forbidden: the server is asked again next time.
  }
}
