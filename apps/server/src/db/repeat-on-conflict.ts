import { setTimeout as sleep } from 'node:timers/promises'
import { isConflict } from './dialect.ts'

const attemptsMax = 5
const pauseMs = 20

/**
 * Repeats a transaction that PostgreSQL ended because of a deadlock or a serialization failure: five
 * times at most, each after a longer, random pause, so that the two do not collide again. Any other
 * error is thrown unchanged, and so is the last one.
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
