import type { PartEnd } from '@gatehouse/contract'
import type { Logger } from 'pino'

/** Ends of parts of this server, which its parent has started again. */
export interface PartEnds {
  /** The last ones. */
  list(): readonly PartEnd[]
  /** Called with those that no log has yet, and with each that comes. */
  onEnd(hear: (end: PartEnd) => void): void
}

/** A process that has ended could not log that itself. */
export function logEnds(ends: PartEnds | undefined, log: Logger): void {
  ends?.onEnd((end) => log.error(end, 'a part of the server has ended and is started again'))
}
