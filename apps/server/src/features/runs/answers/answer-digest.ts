import { isUtf8 } from 'node:buffer'
import {
  isExactObject,
  objectFrom,
  parsePath,
  stringifyExact,
  type ExactJson,
} from '@gatehouse/contract/mapping'
import { answerTree } from '@gatehouse/contract/answer-tree'
import { isTooDense } from './too-dense.ts'

// Of a large answer a thread leaves only what the settings of the endpoint look at. What is left gives the same
// result at each of their paths, and is small enough for the server's own thread.

/** What is left of an answer; an answer of which more is left counts as one that can't be read. */
const leftMaxCharacters = 1024 * 1024
const leftMaxValues = 60_000
/** Characters of an answer that is not UTF-8: each of its bytes may become three. */
const undecodedCharacters = 1024 * 1024
/** Messages are shown up to 1,000 characters; a container in them is kept as far. */
const shownCharacters = 1_200

/** The places of an answer that settings look at. */
interface Places {
  names: Map<string, Places>
  elements: Places | undefined
  /** Characters of a container that are kept where a path ends: 1 says only that it is not empty. */
  ends: number
}

class TooMuch extends Error {
  override name = 'TooMuch'
}

/** What a thread has read of an answer. */
export interface Digest {
  /** What is left, as JSON; undefined where the answer can't be read, or too much is left. */
  left: string | undefined
  /** Of an answer that is not UTF-8, which takes long to decode: its beginning. */
  text?: string
}

export function digestOf(bytes: Uint8Array, paths: AnswerPaths): Digest {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const text = body.toString('utf8')
  const left = isTooDense(text) ? undefined : leftOf(text, paths)
  return isUtf8(body) ? { left } : { left, text: text.slice(0, undecodedCharacters) }
}

function leftOf(text: string, paths: AnswerPaths): string | undefined {
  const tree = answerTree(text)
  if (tree === undefined) return undefined
  try {
    const left = stringifyExact(new Pruning().prune(tree, placesOf(paths)))
    return left.length > leftMaxCharacters ? undefined : left
  } catch (error) {
    if (error instanceof TooMuch) return undefined
    throw error
  }
}

/** Every path in settings, by what it is for. */
export interface AnswerPaths {
  all: string[]
  /** Of lists, whose elements the other paths may start from. */
  lists: string[]
  /** Of messages, which are shown with what they contain. */
  messages: string[]
}

/** Gathers each `path` and `…_path` of some settings: a new setting is found by its name. */
export function pathsOf(settings: unknown): AnswerPaths {
  const found: AnswerPaths = { all: [], lists: [], messages: [] }
  const visit = (value: unknown, name: string): void => {
    if (typeof value === 'object' && value !== null)
      for (const [key, each] of Object.entries(value)) visit(each, key)
    else if (typeof value === 'string' && value !== '' && isPathName.test(name)) {
      if (isMessageName.test(name)) found.messages.push(...value.split(betweenPaths))
      else found.all.push(value)
      if (isListName.test(name)) found.lists.push(value)
    }
  }
  visit(settings, '')
  return found
}

const isPathName = /(?:^|_)path$/
const isMessageName = /^message_path$/
const isListName = /^(?:items|list|accepted|rejected)_path$/
/** A comma that is in no brackets. */
export const betweenPaths = /,(?![^[]*\])/

function placesOf({ all, lists, messages }: AnswerPaths): Places {
  const root = emptyPlaces()
  // An element may be a reference itself.
  const starts = [root, ...lists.flatMap((path) => listPlaces(root, path))]
  for (const start of starts) {
    for (const path of all) add(start, path, 1)
    for (const path of messages) add(start, path.trim(), shownCharacters)
  }
  return root
}

const emptyPlaces = (): Places => ({ names: new Map(), elements: undefined, ends: 0 })

/** Where the elements of a list are: its path may end with `[*]` or not. */
function listPlaces(root: Places, path: string): Places[] {
  const list = add(root, path, 1)
  if (!list) return []
  list.elements ??= emptyPlaces()
  list.elements.ends ||= 1
  return [list, list.elements]
}

/** Undefined for a path that can't be used: it finds nothing. */
function add(start: Places, path: string, characters: number): Places | undefined {
  const parsed = parsePath(path, 'read')
  if (!parsed.ok) return undefined
  let at = start
  for (const segment of parsed.segments) {
    if (segment.kind === 'name') {
      const next = at.names.get(segment.name) ?? emptyPlaces()
      at.names.set(segment.name, next)
      at = next
    } else at = at.elements ??= emptyPlaces()
  }
  at.ends = Math.max(at.ends, characters)
  return at
}

/** Characters that may still be kept of a container where no path goes on. */
interface Budget {
  left: number
}

/** Removes from a tree what no path reaches, and counts what is left. */
class Pruning {
  #values = 0

  prune(value: ExactJson, places: Places, around: Budget = { left: 0 }): ExactJson {
    if (++this.#values > leftMaxValues) throw new TooMuch()
    const budget = around.left >= places.ends ? around : { left: places.ends }
    if (Array.isArray(value)) {
      const { elements } = places
      const kept: ExactJson[] = []
      for (const element of value) {
        // An index counts elements: all are kept, or none behind the last that is.
        if (!elements && budget.left <= 0) break
        kept.push(this.prune(element, elements ?? emptyPlaces(), budget))
      }
      budget.left -= 2
      return kept
    }
    if (isExactObject(value)) {
      const kept: [string, ExactJson][] = []
      for (const [name, each] of Object.entries(value)) {
        const inside = places.names.get(name)
        if (!inside && budget.left <= 0) continue
        kept.push([name, this.prune(each, inside ?? emptyPlaces(), budget)])
        budget.left -= name.length
      }
      budget.left -= 2
      return objectFrom(kept)
    }
    budget.left -= typeof value === 'string' ? value.length + 2 : 4
    return value
  }
}
