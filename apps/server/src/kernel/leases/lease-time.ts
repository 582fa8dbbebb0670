import type { Clock } from '../clock.ts'

/** A lease that ends within this time counts as over: the clocks of two servers differ by less. */
const marginMs = 2_000
/** No server that lives holds anything that far ahead: its lease is from before the shared time was set back. */
const latestMs = 1_200_000
const farMs = 100 * 365 * 86_400_000

/** The right of one server to something, until a moment. */
export interface Lease {
  owner: string
  until: string
}

/** What a server wants to hold, and which leases of others count no more. */
export interface LeaseWish extends Lease {
  now: string
  /** A lease that ends by then is over. */
  endedBy: string
  /** A lease that ends later is from before the time was set back. */
  latest: string
}

/**
 * The wish of this server, for so long from now on. Until the time is steady, no lease of another server counts as
 * over: what it holds stays its own, and what no server holds can be taken.
 */
export async function wishFor(
  { clock, owner }: { clock: Clock; owner: string },
  leaseMs: number,
): Promise<LeaseWish> {
  const isSteady = (await clock.isSteady?.()) ?? true
  const nowMs = clock.now().getTime()
  const inMs = (ms: number) => new Date(nowMs + ms).toISOString()
  return {
    owner,
    now: inMs(0),
    until: inMs(leaseMs),
    endedBy: isSteady ? inMs(0) : '',
    latest: inMs(isSteady ? latestMs : farMs),
  }
}

/**
 * True while it is certain that no other server has taken what is held until then. Ask it immediately before
 * an act that only the holder may do, without an await in between.
 */
export function isHeld(clock: Clock, until: string | null): boolean {
  if (until === null || clock.isSynced?.() === false) return false
  const leftMs = Date.parse(until) - clock.now().getTime()
  return leftMs > marginMs && leftMs <= latestMs
}

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
