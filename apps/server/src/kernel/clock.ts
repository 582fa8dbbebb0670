/** Where the time comes from, so that tests can move it. */
export interface Clock {
  now(): Date
  /** Milliseconds from some moment on. It only grows, whatever is done to the time of day. */
  monotonicMs?(): number
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
}
