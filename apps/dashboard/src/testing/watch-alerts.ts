import { vi } from 'vitest'

/** Replaces the browser's alert by one that returns at once. */
export function watchAlerts() {
  const alert = vi.fn<(text: string) => void>()
  vi.stubGlobal('alert', alert)
  return alert
}
