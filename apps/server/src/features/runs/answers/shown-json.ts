import { looksLikeXml, parseExactXml } from '@gatehouse/contract/answer-tree'
import { JsonProblem, parseExact, type ExactJson } from '@gatehouse/contract/mapping'
import { isTooDense } from './too-dense.ts'

/** An answer is shown where it could no longer be mapped: those limits are smaller (spec: mapping). */
const shownLimits = { maxBytes: 16 * 1024 * 1024, maxDepth: 100 }

export type ShownJson<T> =
  | { ok: true; value: T }
  | { ok: false; isSyntax: boolean; message: string }

/** The JSON of an answer that is shown, also of XML. */
export function shownJsonOf(text: string): ShownJson<ExactJson> {
  if (isTooDense(text))
    return { ok: false, isSyntax: false, message: 'The answer has more than 2,000,000 values.' }
  try {
    const value = looksLikeXml(text)
      ? parseExactXml(text, shownLimits)
      : parseExact(text.replace(/^\uFEFF/, ''), shownLimits)
    return { ok: true, value }
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    return { ok: false, isSyntax: error.reason === 'syntax', message: error.message }
  }
}
