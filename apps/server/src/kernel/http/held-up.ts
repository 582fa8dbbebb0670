import { AsyncLocalStorage } from 'node:async_hooks'

/** What one call has learnt about the configuration that it changed. */
interface Watch {
  heldUpBy: string | undefined
}

const watches = new AsyncLocalStorage<Watch>()

/** Notes that a committed change is not in force. Outside of a call there is no one to notify. */
export function noteHeldUp(heldUpBy: string | undefined): void {
  const watch = watches.getStore()
  if (watch && heldUpBy !== undefined) watch.heldUpBy = heldUpBy
}

/**
 * Does the work of a call. `heldUpBy` says why a change of the configuration that it made is not in force;
 * undefined: it is, or nothing was changed.
 */
export async function watchForce<T>(
  work: () => Promise<T>,
): Promise<{ answer: T; heldUpBy: string | undefined }> {
  const watch: Watch = { heldUpBy: undefined }
  const answer = await watches.run(watch, work)
  return { answer, heldUpBy: watch.heldUpBy }
}
