import { setTimeout as sleep } from 'node:timers/promises'
import { isConflict } from '../dialect.ts'

/** What transactions have failed with whose connection broke before their COMMIT was sent. */
const lost = new WeakSet<object>()

/** The transaction that fails with this has certainly changed nothing. */
export function noteLost(error: unknown): void {
  if (error instanceof Error) lost.add(error)
}

const attemptsMax = 5
const pauseMs = 20

/**
 * Repeats a transaction that PostgreSQL ended because of a deadlock, a serialization failure or its silence,
 * or whose connection broke before its COMMIT was sent: five times at most, each after a longer, random pause, so that the two do not collide again. Any other
 * error is thrown unchanged, and so is the last one.
 */
export async function repeatOnConflict<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction()
    } catch (error) {
      const isLost = error instanceof Error && lost.has(error)
      if (attempt === attemptsMax || !(isLost || isConflict(error))) throw error
      await sleep(Math.random() * pauseMs * 2 ** attempt)
    }
  }
}
