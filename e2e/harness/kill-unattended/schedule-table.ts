/** A moment at which a schedule has to fire. */
export interface Moment {
  scheduleId: number
  plannedFor: string
}

/** The tables of schedules, beside the product. */
export interface ScheduleTable {
  /**
   * Lets the moment of every schedule come now, as if its time had passed. One that is still due stays as
   * it is. Returns the moments that it brought.
   */
  bringMoments(): Promise<Moment[]>
  /** Firings of a server that go on, and of whose runs some are started. */
  countBegun(server: string): Promise<number>
}
