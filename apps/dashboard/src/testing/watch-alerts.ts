import { vi } from 'vitest'

/** The browser's alert, which waits for nobody here. */
export function watchAlerts() {
  const alert = vi.fn<(text: string) => void>()
  vi.stubGlobal('alert', alert)
  return alert
}
