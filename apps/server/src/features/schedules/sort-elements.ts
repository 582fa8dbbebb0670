import { createHash } from 'node:crypto'
import { compareDecimals } from '../../kernel/text/decimals.ts'
import type { ListElement } from '../../kernel/lists.ts'
import type { StoredList } from './schedule-parts.ts'

/** An input has at most that many bytes. */
const elementMaxBytes = 1024 * 1024

/** An element that is not older than the watermark. */
export interface NewElement {
  /** The same for the same reference, or for the same content where there are no references. */
  key: string
  reference: string | null
  text: string
}

type SortedElements =
  | {
      ok: true
      found: number
      /** How many are older than the watermark. */
      old: number
      /** Each key once, in the order of the list. */
      elements: NewElement[]
      /** How many came a second time in the same list. */
      repeated: number
      /** The greatest value that was seen; null without a watermark. */
      watermark: string | null
    }
  | { ok: false; message: string }

export const keyOf = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * Sorts out what may be new of a list. An element with the value of the watermark may be: several can share
 * it. A list with an element that can't be judged is refused whole.
 */
export function sortElements(list: StoredList, elements: readonly ListElement[]): SortedElements {
  const { watermark, reference_path } = list
  let greatest = watermark?.value ?? null
  let old = 0
  const fresh = new Map<string, NewElement>()
  for (const [index, { text, values }] of elements.entries()) {
    const refuse = (what: string) =>
      ({ ok: false, message: `Element ${index + 1} of the list ${what}.` }) as const
    const { reference = null, watermark: mark } = values
    if (reference_path !== '' && reference === null)
      return refuse(`has no plain value at ${reference_path}`)
    if (Buffer.byteLength(text) > elementMaxBytes) return refuse('is larger than 1 MiB')
    if (watermark) {
      if (mark === undefined) return refuse(`has no plain value at ${watermark.path}`)
      const against = compare(watermark.type, mark, watermark.value)
      const best = compare(watermark.type, mark, greatest ?? '')
      if (against === undefined || best === undefined)
        return refuse(`has a value at ${watermark.path} that is not a number`)
      if (against < 0) {
        old++
        continue
      }
      if (best > 0) greatest = mark
    }
    const key = keyOf(reference === null ? `content ${text}` : `reference ${reference}`)
    if (!fresh.has(key)) fresh.set(key, { key, reference, text })
  }
  const repeated = elements.length - old - fresh.size
  return {
    ok: true,
    found: elements.length,
    old,
    elements: [...fresh.values()],
    repeated,
    watermark: greatest,
  }
}

const compare = (type: 'text' | 'number', one: string, other: string) =>
  type === 'number' ? compareDecimals(one, other) : one < other ? -1 : one > other ? 1 : 0
