import { searchHitsMax } from '@gatehouse/contract'
import type { Stores } from '../../stores.ts'
import type { Period } from './search-hit-store.ts'
import type { WordHits } from './text-index-store.ts'
import { clausesOf, type WordQuery } from './word-query.ts'

type TextStores = Pick<Stores, 'search' | 'searchHits' | 'textIndex'>

/** Of the time in which an answer is expected, what looking for words may take. */
const budgetMs = 50
const noHits: WordHits = { ids: [], stoppedAt: undefined }

/** Looks into the texts of runs once for each state, however many kinds ask. */
export function textHits(stores: TextStores, query: WordQuery, period: Period) {
  const { search, searchHits, textIndex } = stores
  const found = new Map<string | undefined, Promise<WordHits>>()
  const prepared = (async () => {
    const [completed, bounds] = await Promise.all([
      query.beginning === undefined ? [] : search.listWordsFrom(query.beginning),
      searchHits.boundsOf(period),
    ])
    return { clauses: clausesOf(query, completed), ...bounds }
  })()
  // It is awaited by whatever asks; where nothing does, its failure is of no interest.
  prepared.catch(() => {})
  const find = async (state: string | undefined) =>
    query.words.length === 0
      ? noHits
      : textIndex.find({ ...(await prepared), state, limit: searchHitsMax + 1, budgetMs })
  return (state: string | undefined): Promise<WordHits> => {
    const hits = found.get(state) ?? find(state)
    found.set(state, hits)
    return hits
  }
}
