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

/** The bytes of a body: a Buffer of Node. */
interface Body {
  toString(encoding: 'utf8'): string
}

const trees = new WeakMap<Body, { tree: ExactJson | undefined }>()
const texts = new WeakMap<Body, string>()

/**
 * The tree of an answer's body, JSON or XML; undefined where it can't be parsed. A body is parsed once. Do not change
 * the tree: others read it too.
 */
export function bodyTree(body: Body): ExactJson | undefined {
  const known = trees.get(body)
  if (known) return known.tree
  const tree = answerTree(bodyText(body))
  setBodyTree(body, tree)
  return tree
}

/** Says what `bodyTree` returns for a body that was parsed elsewhere; undefined: it can't be read. */
export function setBodyTree(body: Body, tree: ExactJson | undefined): void {
  trees.set(body, { tree })
}

/** The text of an answer's body; bytes that are not UTF-8 become U+FFFD. */
export const bodyText = (body: Body): string => texts.get(body) ?? body.toString('utf8')

/** Says what `bodyText` returns for a body that was decoded elsewhere: one that is not UTF-8 takes long. */
export function setBodyText(body: Body, text: string): void {
  texts.set(body, text)
}
