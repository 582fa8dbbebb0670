import type { Clock } from './clock.ts'

/** A lease that ends within this time counts as over: the clocks of two servers differ by less. */
const marginMs = 2_000

/**
 * True while it is certain that no other server has taken what is held until then. Ask it immediately before
 * an act that only the holder may do, without an await in between.
 */
export const isHeld = (clock: Clock, until: string | null): boolean =>
  until !== null &&
  clock.isSynced?.() !== false &&
  Date.parse(until) - marginMs > clock.now().getTime()

/** The same after a sleep of the machine too, where the time has to be asked for first. */
export async function isStillHeld(clock: Clock, until: string | null): Promise<boolean> {
  return ((await clock.sync?.()) ?? true) && isHeld(clock, until)
}

/**
 * Between the steps of long work: renews the lease where the last time was longer ago than that, also where the
 * machine has slept meanwhile. False where another server has taken the work over.
 */
export function holdNowAndThen(
  { hold, clock }: { hold: () => Promise<boolean>; clock: Clock },
  everyMs: number,
): () => Promise<boolean> {
  let heldAtMs = clock.now().getTime()
  return async () => {
    const isCertain = (await clock.sync?.()) ?? true
    const sinceMs = clock.now().getTime() - heldAtMs
    if (isCertain && sinceMs >= 0 && sinceMs < everyMs) return true
    heldAtMs = clock.now().getTime()
    return hold()
  }
}
