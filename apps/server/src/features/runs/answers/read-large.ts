import { textAt } from '@gatehouse/contract/answer-rule'
import { answerTree, setBodyText, setBodyTree } from '@gatehouse/contract/answer-tree'
import type { Exchanged, HttpAnswer } from '@gatehouse/upstream'
import { pathsOf } from './answer-digest.ts'
import { digestInThread } from '../steps/bodies/body-threads.ts'

/** A larger answer is read by a thread before anything looks at it. */
const ownMaxBytes = 65_536

/**
 * Lets a thread read the bodies of a large answer, so that `readBody` has what these settings look at. The other side
 * decides how long an answer takes to read. One that takes too much time or memory counts as unreadable.
 */
export async function readLarge(exchanged: Exchanged, settings: unknown): Promise<Exchanged> {
  const bodies = new Set([bodyOf(exchanged.answer), bodyOf(exchanged.shown)])
  for (const body of bodies) {
    if (!body || body.length <= ownMaxBytes) continue
    const { left, text } = await digestInThread(body, pathsOf(settings))
    if (text !== undefined) setBodyText(body, text)
    setBodyTree(body, left === undefined ? undefined : answerTree(left))
  }
  return exchanged
}

/** The plain value at a path of a text, JSON or XML. A thread reads a large text. */
export async function textIn(text: string, path: string): Promise<string | undefined> {
  if (text.length <= ownMaxBytes) return textAt(answerTree(text), path)
  const { left } = await digestInThread(Buffer.from(text), pathsOf({ path }))
  return left === undefined ? undefined : textAt(answerTree(left), path)
}

const bodyOf = (answer: HttpAnswer) => (answer.ok ? answer.body : undefined)
