/** Thrown where a check would take more work than it may. One object: it is thrown on the path of requests. */
export class TooMuchWork extends Error {
  override name = 'TooMuchWork'
}

const spent = new TooMuchWork('This is too much to check.')

/**
 * Bounds what one check may do, in steps: a part of a schema that is looked at, a character of a text that
 * a part measures, a character and a state of a pattern.
 */
export class WorkMeter {
  left = 0
  readonly spent = spent

  /** Throws `TooMuchWork` where less is left. */
  spend(steps: number): void {
    if ((this.left -= steps) < 0) throw spent
  }
}
