import { textAt } from '@gatehouse/contract/answer-rule'
import { answerTree } from '@gatehouse/contract/answer-tree'
import {
  JsonProblem,
  parseExact,
  stringifyExact,
  type ExactJson,
} from '@gatehouse/contract/mapping'
import type { ListElement, ListQuestion } from '../../../kernel/lists.ts'
import { listAt } from '../../runs/answers/list-at.ts'

/** More elements than these are refused: a part of a list would look like all of it. */
const elementsMax = 10_000
/** An answer may be that large; the elements of a list are each an input, with 32 levels of their own. */
const limits = { maxBytes: 16 * 1024 * 1024, maxDepth: 64 }

export interface ListReading extends Pick<ListQuestion, 'itemsPath' | 'paths'> {
  /** The whole answer. */
  text: string
}

export type ReadList = { ok: true; elements: ListElement[] } | { ok: false; message: string }

/** The elements of a list in an answer, with what is at some places of each. Never a part of a list. */
export function readList({ text, itemsPath, paths }: ListReading): ReadList {
  const answer = treeOf(text)
  if (!answer.ok) return answer
  const list = itemsPath === '' ? answer.tree : listAt(answer.tree, itemsPath)
  if (!Array.isArray(list))
    return {
      ok: false,
      message: itemsPath === '' ? 'The answer is not a list.' : `There is no list at ${itemsPath}.`,
    }
  if (list.length > elementsMax)
    return {
      ok: false,
      message: `The list has ${list.length} elements; at most ${elementsMax} are read. Ask for fewer at once.`,
    }
  const places = Object.entries(paths).filter(([, path]) => path !== '')
  const elements = list.map((element) => ({
    text: stringifyExact(element),
    values: Object.fromEntries(
      places.flatMap(([name, path]) => {
        const value = textAt(element, path)
        return value === undefined ? [] : [[name, value]]
      }),
    ),
  }))
  return { ok: true, elements }
}

function treeOf(text: string): { ok: true; tree: ExactJson } | { ok: false; message: string } {
  if (text.trim() === '') return { ok: false, message: 'The answer is empty.' }
  try {
    return { ok: true, tree: parseExact(text, limits) }
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    const tree = answerTree(text)
    return tree === undefined
      ? { ok: false, message: `The answer can’t be read: ${error.message}` }
      : { ok: true, tree }
  }
}
