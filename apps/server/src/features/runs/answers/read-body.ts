import { answerTree, bodyTree } from '@gatehouse/contract/answer-tree'
import type { ExactJson } from '@gatehouse/contract/mapping'

/** A transaction may wait for a stored text to be read. */
const storedMaxCharacters = 1024 * 1024

/** The tree of an answer's body, JSON or XML; undefined where it can't be parsed. */
export const readBody = (body: Buffer): ExactJson | undefined => bodyTree(body)

/** The tree of a text that the ledger keeps; undefined where it can't be parsed or is larger than 1 MiB. */
export const readStored = (text: string): ExactJson | undefined =>
  text.length > storedMaxCharacters ? undefined : answerTree(text)
