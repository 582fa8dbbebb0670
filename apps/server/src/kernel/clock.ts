/** Where the time comes from, so that tests can move it. */
export interface Clock {
  now(): Date
  /** Milliseconds since an arbitrary moment. Only grows, even when the time of day is changed. */
  monotonicMs?(): number
  /** True where it is the time of the machine, so that a database's own clock can stand in for it. */
  isSystem?: boolean
  /**
   * Await it before an act that must not come too late. After a sleep of the machine, or a change of its time of
   * day, `now` may be wrong until this resolves. False: the time could not be asked for.
   */
  sync?(): Promise<boolean>
  /** False where `now` may be wrong until `sync` has resolved. Absent: it never is. */
  isSynced?(): boolean
  /**
   * False while moments that other servers have written can't be judged: the time that all share has
   * jumped, and they may not have renewed what they hold. Absent: no other server writes any.
   */
  isSteady?(): Promise<boolean>
  /** What the machine's own clock shows at that moment. Absent: the same. */
  toMachine?(moment: Date): Date
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  isSystem: true,
}
