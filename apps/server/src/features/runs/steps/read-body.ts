import { answerTree } from '@gatehouse/contract/answer-tree'
import type { ExactJson } from '@gatehouse/contract/mapping'

/** The tree of an answer's body, JSON or XML; undefined where it can't be parsed. */
export const readBody = (body: Buffer | string): ExactJson | undefined =>
  answerTree(body.toString('utf8'))
