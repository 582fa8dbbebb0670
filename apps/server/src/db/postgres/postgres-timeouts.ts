/**
 * How long PostgreSQL may take. A server that stops in the middle of a transaction holds its locks until
 * PostgreSQL ends it, and the others wait for that: `idleMs` is shorter than `lockMs`.
 */
export const postgresTimeouts = {
  /** One statement; migrations have no bound. */
  statementMs: 30_000,
  /** Waiting for a lock that another transaction has. */
  lockMs: 6_000,
  /** Between two statements of a transaction. */
  idleMs: 3_000,
  /** Until a new connection can be used. */
  connectMs: 5_000,
  /** For a connection of the pool that is free. */
  waitMs: 5_000,
  /** A connection on which nothing has arrived for so long is looked into, */
  silenceMs: 3_000,
  /** and is given up after this. */
  probeMs: 2_000,
  /** How long a try to reach a database that is away may take, */
  returnTryMs: 750,
  /** how long after it the next one is made, */
  returnPauseMs: 250,
  /** and how long a call waits for one. */
  awayWaitMs: 300,
}
