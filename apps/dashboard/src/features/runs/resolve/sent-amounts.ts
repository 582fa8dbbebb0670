import { answerTree } from '@gatehouse/contract/answer-tree'
import { isExactObject, stringifyExact, type ExactJson } from '@gatehouse/contract/mapping'
import type { RunStepDetail } from '@gatehouse/contract'

/** A value of a request and where it is, as `invoice.total`. */
interface SentAmount {
  path: string
  /** As it was sent. */
  value: string
}

const shownMax = 4
const depthMax = 6
/** Field names that hold what an invoice is about, in JSON and in the XML of UBL and its relatives. */
const amountName = /amount|total|payable|gross|net\b/i

/**
 * The amounts of the whole document that a step has sent, the outermost first; none from its lines, and none
 * where the body is not shown whole or is neither JSON nor XML.
 */
export function sentAmounts({ body }: Pick<RunStepDetail, 'body'>): SentAmount[] {
  if (!body?.is_whole) return []
  const tree = answerTree(body.text)
  if (tree === undefined) return []
  const found: SentAmount[] = []
  let level: [path: string, value: ExactJson][] = [['', tree]]
  for (let depth = 0; depth < depthMax && found.length < shownMax; depth++) {
    const fields = level.flatMap(([path, value]) => fieldsOf(path, value))
    found.push(...fields.flatMap(([path, value]) => amountAt(path, value)))
    level = fields
  }
  return found.slice(0, shownMax)
}

function fieldsOf(path: string, value: ExactJson): [string, ExactJson][] {
  if (!isExactObject(value)) return []
  return Object.entries(value).map(([name, each]) => [path === '' ? name : `${path}.${name}`, each])
}

function amountAt(path: string, value: ExactJson): SentAmount[] {
  if (!amountName.test(path.slice(path.lastIndexOf('.') + 1))) return []
  // In XML with attributes, such as the currency, the text is a field of its own.
  const amount = fieldsOf('', value).find(([name]) => name === '#text')?.[1] ?? value
  const text = typeof amount === 'string' ? amount.trim() : stringifyExact(amount)
  return /^-?[\d.,\s]*\d[\d.,\s]*$/.test(text) ? [{ path, value: text }] : []
}
