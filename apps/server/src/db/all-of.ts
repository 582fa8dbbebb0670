type Values<T extends readonly unknown[]> = { -readonly [Index in keyof T]: Awaited<T[Index]> }

/**
 * Waits for all of them, then throws the error of the first in the list that failed. Unlike with
 * `Promise.all` nothing is under way afterwards, so that no statement comes after its transaction.
 * On PostgreSQL, statements that begin together share a round trip.
 */
export async function allOf<const T extends readonly unknown[]>(works: T): Promise<Values<T>> {
  const settled = await Promise.allSettled(works)
  for (const each of settled) if (each.status === 'rejected') throw each.reason
  return settled.map((each) => (each as PromiseFulfilledResult<unknown>).value) as Values<T>
}
