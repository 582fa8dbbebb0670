import { setTimeout as sleep } from 'node:timers/promises'
import { isConflict } from './dialect.ts'

const attemptsMax = 5
const pauseMs = 20

/**
 * Does a transaction again that PostgreSQL ended because it and another waited for each other, or
 * could not be put in one order: five times at most, each after a longer, random pause, so that the
 * two do not meet again. Any other error is thrown as it is, and so is that of the last time.
 */
export async function repeatOnConflict<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction()
    } catch (error) {
      if (attempt === attemptsMax || !isConflict(error)) throw error
      await sleep(Math.random() * pauseMs * 2 ** attempt)
    }
  }
}
