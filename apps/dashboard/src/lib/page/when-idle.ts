/** Where the browser does not say when it is idle: past the paint of what the user has just done. */
const pauseMs = 200

/** Calls back once nothing else is to be done, 2 s from now at the latest. */
export function whenIdle(callback: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(callback, { timeout: 2_000 })
  else setTimeout(callback, pauseMs)
}
