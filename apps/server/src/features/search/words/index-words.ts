import { valuesOfBody } from './values-of-body.ts'
import { wordsOfText } from './words-of-text.ts'

/** So much of the texts of a run is read. */
export const textMaxLength = 65_536
/** So many words of a run are kept. */
const wordsMax = 2_000

export interface RunTexts {
  /** Reference, user, ids: all of it is found, whatever is in the bodies. */
  names: readonly (string | null)[]
  /** The input and the bodies of the requests. */
  bodies: readonly (string | null)[]
}

/** The words by which a run is found: each once, bounded. */
export function indexWords({ names, bodies }: RunTexts): Set<string> {
  const words = new Set<string>()
  for (const name of names) if (name) addWords(words, name)
  // Input and bodies say mostly the same.
  const seen = new Set<string>()
  let left = textMaxLength
  for (const body of bodies) {
    if (!body || left <= 0) continue
    for (const { value } of valuesOfBody(body.slice(0, left))) {
      if (seen.has(value)) continue
      seen.add(value)
      addWords(words, value)
      if (words.size >= wordsMax) return words
    }
    left -= body.length
  }
  return words
}

function addWords(words: Set<string>, text: string): void {
  for (const { whole, pieces } of wordsOfText(text)) {
    // A single letter or digit finds nothing in particular.
    if (whole.length > 1) words.add(whole)
    for (const piece of pieces) words.add(piece)
    if (words.size >= wordsMax) return
  }
}
