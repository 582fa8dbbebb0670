import { answerTree } from '@gatehouse/contract/answer-tree'
import type { ExactJson } from '@gatehouse/contract/mapping'

const trees = new WeakMap<Buffer, { tree: ExactJson | undefined }>()

/**
 * The tree of an answer's body, JSON or XML; undefined where it can't be parsed. A body is parsed once. Do not change
 * the tree: others read it too.
 */
export function bodyTree(body: Buffer): ExactJson | undefined {
  const known = trees.get(body)
  if (known) return known.tree
  const tree = answerTree(bodyText(body))
  setBodyTree(body, tree)
  return tree
}

/** Says what `bodyTree` returns for a body that was parsed elsewhere; undefined: it can't be read. */
export function setBodyTree(body: Buffer, tree: ExactJson | undefined): void {
  trees.set(body, { tree })
}

const texts = new WeakMap<Buffer, string>()

/** The text of an answer's body; bytes that are not UTF-8 become U+FFFD. */
export const bodyText = (body: Buffer): string => texts.get(body) ?? body.toString('utf8')

/** Says what `bodyText` returns for a body that was decoded elsewhere: one that is not UTF-8 takes long. */
export function setBodyText(body: Buffer, text: string): void {
  texts.set(body, text)
}
