import { JsonProblem, parseExact } from '../mapping/exact/exact-json.ts'
import type { ExactJson } from '../mapping/exact/exact-types.ts'
import { looksLikeXml, parseExactXml } from './exact-xml.ts'

export { looksLikeXml, parseExactXml }

/** Larger than the limits of the mapping: answers are judged that are too large to be mapped. */
const limits = { maxBytes: 16 * 1024 * 1024, maxDepth: 100 }

/** The tree of an answer's body, JSON or XML; undefined where it can't be read. */
export function answerTree(text: string): ExactJson | undefined {
  try {
    return looksLikeXml(text) ? parseExactXml(text, limits) : parseExact(text, limits)
  } catch (error) {
    if (error instanceof JsonProblem) return undefined
    throw error
  }
}
