import type { BatchRecord, BatchState, RunState } from '@gatehouse/contract'

export const batchesMessages = {
  notLoaded: 'The batch could not be loaded.',
  paused: 'Batch paused.',
  resumed: 'Batch resumed.',
  notResumed: 'The batch was not resumed.',
  cancelled: 'Batch cancelled.',
  retried: 'The rejected rows are queued again.',
  noResults: 'The results could not be fetched.',
} as const

export const batchStateWords: Record<BatchState, string> = {
  running: 'Running',
  paused: 'Paused',
  cancelled: 'Cancelled',
  finished: 'Finished',
}

export const batchStateColors: Record<BatchState, string> = {
  running: 'blue',
  paused: 'orange',
  cancelled: 'gray',
  finished: 'green',
}

/** The order of the states in bars and legends: what is done, what needs a person, what is left. */
export const statesInOrder: readonly RunState[] = [
  'succeeded',
  'unknown',
  'rejected',
  'partial',
  'blocked',
  'stopped',
  'not_started',
  'running',
  'pending',
  'queued',
  'cancelled',
]

const leftStates: readonly RunState[] = ['queued', 'running', 'pending']

type Counted = Pick<BatchRecord, 'counts'>

/** Rows that go on without a person. */
export const leftOf = ({ counts }: Counted) =>
  leftStates.reduce((sum, state) => sum + (counts[state] ?? 0), 0)

export const isMoving = (batch: Counted) => leftOf(batch) > 0

export const nameOf = ({ id, file_name }: Pick<BatchRecord, 'id' | 'file_name'>) =>
  file_name === '' ? `Batch ${id}` : file_name

export const rowWords = (count: number) =>
  count === 1 ? '1 row' : `${count.toLocaleString('en')} rows`

/** Seconds for reading: `less than a minute`, `12 minutes`, `3 h 5 min`. */
export function timeLeftWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (minutes <= 1) return 'less than a minute'
  if (minutes < 60) return `${minutes} minutes`
  const rest = minutes % 60
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`
}
