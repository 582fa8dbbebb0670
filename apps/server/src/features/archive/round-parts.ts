import type { Logger } from 'pino'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import type { ArchiveThreads } from './files/archive-threads.ts'

/** What every part of a round takes. */
export interface RoundParts {
  /** On a connection for long reads. */
  longReads: Pick<Stores, 'archivedRuns'>
  inTransaction: InTransaction
  clock: Clock
  log: Logger
  threads: ArchiveThreads
  folder: string
  /** The id of this server. */
  owner: string
  bounds: ArchiveBounds
}

export interface ArchiveBounds {
  /** A file is complete once it has this many bytes, or this many lines. */
  fileBytes: number
  fileLines: number
  /** Runs that one transaction removes the bodies of. */
  runsAtOnce: number
  /** Of the disk, which a round leaves alone. */
  freeBytesMin: number
}

export const defaultBounds: ArchiveBounds = {
  fileBytes: 64 * 1024 * 1024,
  fileLines: 100_000,
  runsAtOnce: 25,
  freeBytesMin: 64 * 1024 * 1024,
}

/** Ends a round between two steps: the server stops, or another one has taken the duty over. */
export class RoundEnded extends Error {
  override name = 'RoundEnded'
}

/** Called between two steps of a round; `hold` throws a RoundEnded where it may not go on. */
export interface RoundHold {
  hold: () => Promise<void>
}

/** Only grows, where the clock can tell. */
export const monotonicMs = (clock: Clock): number => clock.monotonicMs?.() ?? clock.now().getTime()
