import { isFoundByBeginning, wordsOfText, type TextWord } from './words/words-of-text.ts'

/** Words of the index, one of which a run has to have; each of them may be several together. */
export type Clause = readonly (readonly string[])[]

/** So many words of a question count. */
const wordsMax = 10

export interface WordQuery {
  words: readonly TextWord[]
  /** The last word, if more of it may come: words that begin with it are found too. */
  beginning: string | undefined
}

/** What a user has typed, as words. Marks and signs are no part of a question. */
export function readQuestion(text: string): WordQuery {
  const all = [...wordsOfText(text)].filter(({ whole }) => whole.length > 1).slice(0, wordsMax)
  const last = all.at(-1)
  const isOpen = last !== undefined && last.pieces.length === 0 && isFoundByBeginning(last.whole)
  return { words: all, beginning: isOpen ? last.whole : undefined }
}

/** Every word has to be found; `completed` are the words that begin as the last one does. */
export function clausesOf({ words, beginning }: WordQuery, completed: readonly string[]): Clause[] {
  return words.map(({ whole, pieces }, index) => {
    const others = index === words.length - 1 && beginning !== undefined ? completed : []
    const alternatives = [whole, ...others.filter((each) => each !== whole)].map((each) => [each])
    // The pieces of a number of something are in many others.
    return pieces.length > 1 && !/\d/.test(whole) ? [...alternatives, pieces] : alternatives
  })
}
