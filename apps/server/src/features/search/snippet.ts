import type { SearchHit } from '@gatehouse/contract'
import type { WordQuery } from './word-query.ts'
import { textMaxLength } from './words/index-words.ts'
import { numberForm } from './words/number-form.ts'
import { normalForm } from './words/normal-form.ts'
import { valuesOfBody, type BodyValue } from './words/values-of-body.ts'
import { wordsOfText } from './words/words-of-text.ts'

type Snippet = NonNullable<SearchHit['snippet']>

/** So much of a text is shown around what was found. */
const aroundLength = 60
const piecesMax = 12

/**
 * What is shown of the texts of a hit: where it was found, and the total. Of a request with several documents
 * it is the part of the one with this reference, as far as the words are there.
 */
export function readTexts(
  bodies: readonly (string | null)[],
  query: WordQuery,
  reference?: string,
): Pick<SearchHit, 'amount' | 'snippet'> {
  const read = bodies.map((body) => [...valuesOfBody((body ?? '').slice(0, textMaxLength))])
  const own = read.flatMap((values) => partOf(values, reference))
  return {
    amount: totalIn(own),
    snippet: snippetIn(own, query) ?? snippetIn(read.flat(), query),
  }
}

/** The element of a list in which the reference is; all, where it is not in a list. */
function partOf(values: readonly BodyValue[], reference: string | undefined) {
  const named = values.find(({ value }) => value === reference)
  const element = /^(?:[^.]+\.)*?\d+\./.exec(named?.path ?? '')?.[0]
  if (element !== undefined) return values.filter(({ path }) => path.startsWith(element))
  // A part of another document is not shown as its own.
  const isOfOthers = named === undefined && reference !== undefined && isList(values)
  return isOfOthers ? [] : values
}

const isList = ([first]: readonly BodyValue[]) => /^\d+\./.test(first?.path ?? '')

function totalIn(values: readonly BodyValue[]): string | null {
  let best: { value: string; rank: number } | undefined
  for (const { path, value } of values) {
    const rank = rankOfTotal(path, value)
    if (rank !== undefined && rank < (best?.rank ?? Infinity)) best = { value, rank }
  }
  return best?.value ?? null
}

/** The value in which most of the words are. */
function snippetIn(values: readonly BodyValue[], query: WordQuery): Snippet | null {
  let best: (BodyValue & { found: number }) | undefined
  for (const { path, value } of values) {
    const found = countFound(value, query)
    if (found > (best?.found ?? 0)) best = { path, value, found }
  }
  return best ? { path: best.path, pieces: markedPieces(best.value, query) } : null
}

/** Names of a total, the best first, in small letters without marks. */
const totals = [
  'totalincludingtax',
  'taxinclusiveamount',
  'payableamount',
  'grandtotal',
  'totalamount',
  'invoicetotal',
  'amountdue',
  'total',
  'amount',
]

/** Lower is better: lines of an invoice have totals too, but further inside. Undefined: not a total. */
function rankOfTotal(path: string, value: string): number | undefined {
  if (value.length > 30 || numberForm(value) === undefined) return undefined
  const names = path.split('.')
  const rank = totals.indexOf((names.at(-1) ?? '').toLowerCase().replace(/[^a-z]/g, ''))
  return rank < 0 ? undefined : names.length * totals.length + rank
}

function countFound(value: string, query: WordQuery): number {
  const found = new Set<number>()
  for (const word of wordsOfText(value)) {
    const at = query.words.findIndex((each) => isSame(word, each, query))
    if (at >= 0) found.add(at)
  }
  return found.size
}

type Word = WordQuery['words'][number]

function isSame(word: Word, asked: Word, { beginning }: WordQuery): boolean {
  const all = [word.whole, ...word.pieces]
  if (all.includes(asked.whole)) return true
  return beginning === asked.whole && all.some((each) => each.startsWith(beginning))
}

/** The text around what was found, in pieces. */
export function markedPieces(value: string, query: WordQuery): Snippet['pieces'] {
  const hits = [...wordsOfText(value)].filter((word) =>
    query.words.some((asked) => isSame(word, asked, query)),
  )
  const from = Math.max(0, (hits[0]?.start ?? 0) - aroundLength)
  const to = Math.min(value.length, (hits[0]?.end ?? 0) + aroundLength * 2)
  const pieces: Snippet['pieces'] = []
  const add = (text: string, is_hit: boolean) => text !== '' && pieces.push({ text, is_hit })
  add(from > 0 ? '…' : '', false)
  let at = from
  for (const { start, end } of hits.filter((hit) => hit.end <= to).slice(0, piecesMax)) {
    add(value.slice(at, start), false)
    add(value.slice(start, end), true)
    at = end
  }
  add(value.slice(at, to) + (to < value.length ? '…' : ''), false)
  return pieces
}

/** A text that holds another one, wherever it is: a part of a reference. */
export function partIn(path: string, value: string | null, part: string): Snippet | null {
  const at = value === null ? -1 : normalForm(value).indexOf(normalForm(part))
  if (value === null || at < 0 || part === '') return null
  const end = at + part.length
  const pieces = [
    { text: value.slice(0, at), is_hit: false },
    { text: value.slice(at, end), is_hit: true },
    { text: value.slice(end), is_hit: false },
  ]
  return { path, pieces: pieces.filter(({ text }) => text !== '') }
}
