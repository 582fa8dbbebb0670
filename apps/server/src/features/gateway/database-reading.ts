import { databaseTroubleOf } from '../../db/outages/database-away.ts'

/** What was read, or why it can't be read now. */
type Reading<T> = { ok: true; value: T } | { ok: false; trouble: 'away' | 'busy' }

/**
 * Reads from the database for metrics, which are answered without it too. Those who ask while it is being read share
 * one reading.
 */
export function sharedReading<T>(read: () => Promise<T>): () => Promise<Reading<T>> {
  let reading: Promise<Reading<T>> | undefined
  return () => {
    reading ??= readingOf(read).finally(() => (reading = undefined))
    return reading
  }
}

async function readingOf<T>(read: () => Promise<T>): Promise<Reading<T>> {
  try {
    return { ok: true, value: await read() }
  } catch (error) {
    const trouble = databaseTroubleOf(error)
    if (!trouble) throw error
    return { ok: false, trouble }
  }
}
