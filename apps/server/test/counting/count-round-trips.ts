import pg from 'pg'

/**
 * Counts the round trips to PostgreSQL while the work is done: each call of `query` is one, because
 * a client sends the next only after the answer of the one before.
 */
export async function countRoundTrips(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const prototype = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown }
  const query = prototype.query
  prototype.query = function counted(this: unknown, ...args: unknown[]) {
    count++
    return query.apply(this, args)
  }
  try {
    await work()
  } finally {
    prototype.query = query
  }
  return count
}
