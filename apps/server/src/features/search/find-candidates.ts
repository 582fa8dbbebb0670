import { documentStates, runStates, searchHitsMax, type SearchKind } from '@gatehouse/contract'
import type { Stores } from '../../stores.ts'
import type { Period } from './search-hit-store.ts'
import type { WordHits } from './text-index-store.ts'
import type { WordQuery } from './word-query.ts'

export type SearchStores = Pick<Stores, 'search' | 'searchHits' | 'textIndex'>

export interface Question {
  text: string
  query: WordQuery
  state: string | undefined
  period: Period
  /** The runs whose texts have the words, and, where it is named, this state. */
  inTexts: (state: string | undefined) => Promise<WordHits>
}

export interface Candidates {
  /** In the order in which they are shown; one more than the most that are shown, where there are more. */
  ids: number[]
  /** The first of them are what was asked for by its name. */
  exact: ReadonlySet<number>
  /** Texts of older runs were not searched. */
  stoppedAt?: number | undefined
}

/** One more than is shown. */
const limit = searchHitsMax + 1
/** Only parts of references that few have are of use. */
const partsMax = 101
const nothing: Candidates = { ids: [], exact: new Set() }

/** Finds the ids of one kind. A state that the kind does not have finds nothing. */
export function findCandidates(
  kind: SearchKind,
  stores: SearchStores,
  question: Question,
): Promise<Candidates> {
  return finders[kind](stores, question)
}

const finders: Record<
  SearchKind,
  (stores: SearchStores, question: Question) => Promise<Candidates>
> = {
  run: async (stores, question) => {
    const { state, text } = question
    if (!isOneOf(runStates, state)) return nothing
    const { searchHits } = stores
    const [exact, found, begins, parts] = await Promise.all([
      searchHits.findRuns(spellings(text), idOf(text), limit),
      question.inTexts(state),
      isPart(text) ? searchHits.findBeginning('run', spellings(text), partsMax) : [],
      findParts(stores, question, state),
    ])
    const ofParts = parts.length > 0 ? await searchHits.listRunsOfDocuments(parts) : []
    const others = [...found.ids, ...begins, ...ofParts]
    return ranked(stores, 'run', question, { ...found, exact, others })
  },
  document: async (stores, question) => {
    const { state, text } = question
    if (!isOneOf(documentStates, state)) return nothing
    const { searchHits } = stores
    const inRuns = state && `document${state}`
    const [exact, found, begins, parts] = await Promise.all([
      searchHits.findDocuments(spellings(text), limit),
      question.inTexts(inRuns),
      isPart(text) ? searchHits.findBeginning('document', spellings(text), partsMax) : [],
      findParts(stores, question, inRuns),
    ])
    const ofRuns = found.ids.length > 0 ? await searchHits.listDocumentsOfRuns(found.ids) : []
    const others = [...ofRuns, ...begins, ...parts]
    return ranked(stores, 'document', question, { ...found, exact, others })
  },
  batch: async ({ searchHits }, { text, state, period }) => {
    if (state !== undefined) return nothing
    return { ...nothing, ids: await searchHits.findBatches(termsOf(text), period, limit) }
  },
  workflow: async ({ searchHits }, { text, state, period }) => {
    if (state !== undefined || period.from !== undefined || period.to !== undefined) return nothing
    return { ...nothing, ids: await searchHits.findWorkflows(termsOf(text), limit) }
  },
}

const isOneOf = (states: readonly string[], state: string | undefined) =>
  state === undefined || states.includes(state)

const termsOf = (text: string) => text.split(/\s+/).slice(0, 10)

/** References are mostly written in capital letters. */
const spellings = (text: string) => [
  ...new Set([text, text.toUpperCase(), text.toLowerCase(), text.normalize('NFKC')]),
]

/** `#17` and `17` are ids. */
export function idOf(text: string): number | undefined {
  const digits = /^#?(\d{1,9})$/.exec(text.normalize('NFKC'))?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** Only what can be a part of a reference: digits are in it, and no gaps. Anything else is a word. */
const isPart = (text: string) => /^\S{3,100}$/.test(text) && /\p{Nd}/u.test(text)

/** Documents whose references hold the text; looked for where it is not a word of many runs anyway. */
async function findParts(
  { searchHits }: SearchStores,
  { text, inTexts }: Question,
  state: string | undefined,
): Promise<number[]> {
  if (!isPart(text) || (await inTexts(state)).ids.length >= partsMax) return []
  return searchHits.findDocumentParts(text.normalize('NFKC'), partsMax)
}

interface Found {
  exact: readonly number[]
  others: readonly number[]
  stoppedAt?: number | undefined
}

/** What was asked for by its name, then the newest. */
async function ranked(
  { searchHits }: SearchStores,
  table: 'run' | 'document',
  { state, period }: Question,
  { exact, others, stoppedAt }: Found,
): Promise<Candidates> {
  const first = new Set(exact)
  const rest = [...new Set(others)].filter((id) => !first.has(id)).toSorted((a, b) => b - a)
  const ids = await searchHits.filter(table, [...first, ...rest], { state, period })
  return { ids, exact: first, stoppedAt }
}
