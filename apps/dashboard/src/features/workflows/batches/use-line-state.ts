import type { BatchLine } from '@gatehouse/contract'
import { useAddressFilter } from '../../../lib/page/use-address-filter.ts'
import { statesInOrder } from './batch-words.ts'

/** Which rows of a batch are listed: those that failed unless another choice is in the address. */
export type LineState = BatchLine['state'] | 'failed' | 'all'

const names = ['state'] as const
const choices: readonly LineState[] = ['failed', 'all', ...statesInOrder]
const read = (address: URLSearchParams): LineState =>
  choices.find((known) => known === address.get('state')) ?? 'failed'

export function useLineState() {
  const { filter: state, setFilter } = useAddressFilter(names, read)
  const setState = (next: LineState) => setFilter({ state: next === 'failed' ? null : next })
  return { state, setState }
}
