import type { BulkOutcome, ErrorCode } from '@gatehouse/contract'
import { AppError } from './app-error.ts'

/** The records by their ids, or all that a filter finds after one of them. */
export interface Chosen<Filter> {
  ids?: readonly number[] | undefined
  filter?: Filter | undefined
  after: number
}

/** One call, which is one transaction, changes that many records at most. */
const changedMax = 500

/** The records of this call, and the one after which the next goes on; null where none is left. */
export async function takeChosen<Filter>(
  { ids, filter, after }: Chosen<Filter>,
  listAfter: (filter: Filter, after: number, limit: number) => Promise<number[]>,
): Promise<{ ids: readonly number[]; next_after: number | null }> {
  if (filter === undefined) return { ids: ids ?? [], next_after: null }
  const found = await listAfter(filter, after, changedMax + 1)
  const taken = found.slice(0, changedMax)
  return { ids: taken, next_after: found.length > changedMax ? (taken.at(-1) ?? null) : null }
}

interface Changing<Row> {
  find: (id: number) => Promise<Row | undefined>
  /** The refusal where there is none. */
  missing: ErrorCode
  nameOf: (row: Row) => string
  /** False: it already was so. Throws an `AppError` before it writes anything, or writes all. */
  change: (row: Row) => Promise<boolean>
}

/** Changes one record after the other, in the transaction of the caller; a refusal leaves the others alone. */
export async function changeEach<Row>(
  ids: readonly number[],
  { find, missing, nameOf, change }: Changing<Row>,
): Promise<BulkOutcome[]> {
  const outcomes: BulkOutcome[] = []
  for (const id of ids) {
    const row = await find(id)
    const name = row === undefined ? '' : nameOf(row)
    try {
      if (row === undefined) throw new AppError(missing)
      outcomes.push({
        id,
        name,
        outcome: (await change(row)) ? 'done' : 'unchanged',
        message: null,
      })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      outcomes.push({ id, name, outcome: 'refused', message: error.message })
    }
  }
  return outcomes
}

export const hasDone = (outcomes: readonly BulkOutcome[]): boolean =>
  outcomes.some(({ outcome }) => outcome === 'done')
