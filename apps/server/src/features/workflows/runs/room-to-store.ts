import { isStoreFull } from '../../../db/outages/store-refusal.ts'
import { AppError } from '../../../kernel/app-error.ts'

/** Room is made by a person: a machine may look a few times an hour. */
const retryAfterSeconds = 60

/**
 * Does work that takes runs. Where the store has no room it throws a 503 with Retry-After in place of the 507
 * of other calls: a machine keeps its request and sends it again (spec: machine-calls).
 */
export async function whereThereIsRoom<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isStoreFull(error)) throw error
    throw new AppError('run.not_stored', { retryAfterSeconds, cause: error })
  }
}
