import type { Socket } from 'node:net'

/** Takes what comes over a connection that no longer speaks HTTP. */
export interface SwitchedTaker {
  /** `isLent`: the memory is used again, what is kept of it must be copied. */
  handleBytes(bytes: Buffer, isLent: boolean): void
  /** The other side will send no more. */
  handleEnd(): void
}

/** A connection whose two sides have agreed on another protocol. Its owner pauses, writes to and ends its socket. */
export interface SwitchedConnection {
  readonly socket: Socket
  /** Once, and at once: what has already come is given first, then all that comes. */
  start(taker: SwitchedTaker): void
}
