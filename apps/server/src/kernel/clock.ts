/** Where the time comes from, so that tests can move it. */
export interface Clock {
  now(): Date
  /** Milliseconds since an arbitrary moment. Only grows, even when the time of day is changed. */
  monotonicMs?(): number
  /** True where it is the time of the machine, so that a database's own clock can stand in for it. */
  isSystem?: boolean
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  isSystem: true,
}
