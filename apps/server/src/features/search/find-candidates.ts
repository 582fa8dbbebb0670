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
  register: string | undefined
  period: Period
  /** The runs whose texts have the words, and, where it is named, this state. */
  inTexts: (state: string | undefined) => Promise<WordHits>
  /** Documents whose references hold the whole question. */
  inReferences: () => Promise<number[]>
}

export interface Candidates {
  /** In the order in which they are shown. */
  ids: number[]
  /** There are others, which were not looked for. */
  hasMore: boolean
  /** The first of them are what was asked for by its name. */
  exact: ReadonlySet<number>
  /** Texts of older runs were not searched. */
  stoppedAt?: number | undefined
}

/** One more than is shown. */
const limit = searchHitsMax + 1
/** Only parts of references that few have are of use. */
export const partsMax = 101
const nothing: Candidates = { ids: [], hasMore: false, exact: new Set() }

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
    const { state } = question
    if (!isOneOf(runStates, state)) return nothing
    const { searchHits } = stores
    const named = await findNamed('run', stores, question)
    const [found, parts] = await Promise.all([
      question.inTexts(state),
      findParts(stores, question, state, named),
    ])
    const ofParts = parts.length > 0 ? await searchHits.listRunsOfDocuments(parts) : []
    const others = [...found.ids, ...named.begins, ...ofParts]
    const hasMore =
      isCut(found.ids, limit) || isCut(named.begins, partsMax) || isCut(parts, partsMax)
    return ranked(stores, 'run', question, { ...found, exact: named.exact, others, hasMore })
  },
  document: async (stores, question) => {
    const { state } = question
    if (!isOneOf(documentStates, state)) return nothing
    const { searchHits } = stores
    const inRuns = state && `document${state}`
    const named = await findNamed('document', stores, question)
    const [found, parts] = await Promise.all([
      question.inTexts(inRuns),
      findParts(stores, question, inRuns, named),
    ])
    const ofRuns = found.ids.length > 0 ? await searchHits.listDocumentsOfRuns(found.ids) : []
    const others = [...ofRuns, ...named.begins, ...parts]
    const hasMore =
      isCut(found.ids, limit) || isCut(named.begins, partsMax) || isCut(parts, partsMax)
    return ranked(stores, 'document', question, { ...found, exact: named.exact, others, hasMore })
  },
  batch: async ({ searchHits }, { text, state, register, period }) => {
    if (state !== undefined || register !== undefined) return nothing
    return newest(await searchHits.findBatches(termsOf(text), period, limit))
  },
  workflow: async ({ searchHits }, { text, state, register, period }) => {
    if (state !== undefined || register !== undefined) return nothing
    if (period.from !== undefined || period.to !== undefined) return nothing
    return newest(await searchHits.findWorkflows(termsOf(text), limit))
  },
}

const newest = (ids: number[]): Candidates => ({
  ...nothing,
  ids: ids.slice(0, searchHitsMax),
  hasMore: ids.length > searchHitsMax,
})

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

const isCut = (ids: readonly number[], max: number) => ids.length >= max

interface Named {
  exact: readonly number[]
  /** Their references begin with the text. */
  begins: readonly number[]
}

async function findNamed(
  table: 'run' | 'document',
  { searchHits }: SearchStores,
  { text }: Question,
): Promise<Named> {
  const texts = spellings(text)
  const [exact, begins] = await Promise.all([
    table === 'run'
      ? searchHits.findRuns(texts, idOf(text), limit)
      : searchHits.findDocuments(texts, limit),
    isPart(text) ? searchHits.findBeginning(table, texts, partsMax) : [],
  ])
  return { exact, begins }
}

/**
 * Documents whose references hold the text; looked for where no reference begins with it, and it is not a
 * word of many runs.
 */
async function findParts(
  { searchHits }: SearchStores,
  { text, inTexts, inReferences }: Question,
  state: string | undefined,
  { exact, begins }: Named,
): Promise<number[]> {
  // Shorter parts are in many numbers of authorities.
  if (text.length < 5 || !isPart(text) || exact.length + begins.length > 0) return []
  if ((await inTexts(state)).ids.length >= partsMax) return []
  // It is a whole reference of another document, or of none.
  const beginning = spellings(text.slice(0, 5))
  if ((await searchHits.findBeginning('document', beginning, 1)).length > 0) return []
  return inReferences()
}

interface Found {
  exact: readonly number[]
  others: readonly number[]
  hasMore: boolean
  stoppedAt?: number | undefined
}

/** What was asked for by its name, then the newest. */
async function ranked(
  { searchHits }: SearchStores,
  table: 'run' | 'document',
  { state, register, period }: Question,
  { exact, others, hasMore, stoppedAt }: Found,
): Promise<Candidates> {
  const first = new Set(exact)
  const rest = [...new Set(others)].filter((id) => !first.has(id)).toSorted((a, b) => b - a)
  const ids = await searchHits.filter(table, [...first, ...rest], { state, register, period })
  return {
    ids: ids.slice(0, searchHitsMax),
    hasMore: hasMore || ids.length > searchHitsMax,
    exact: first,
    stoppedAt,
  }
}
