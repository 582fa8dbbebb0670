import type { NameSource } from '../filters/named-select.tsx'

/** What a list can be narrowed down to by `name:value`, in its search as in its address. */
export interface Term {
  /** In the address, and before the colon. */
  name: string
  label: string
  /** The values that it can have. Without them, and without a source, any words are a value. */
  choices?: readonly { value: string; label: string }[]
  /** Records that are found by their names; the value is the id. */
  source?: NameSource
}

interface TypedTerm {
  term: Term
  /** What stands after the colon, without quotes. */
  words: string
  /** All of it, as it stands in the text. */
  text: string
  /** A quote has not ended yet. */
  isOpen: boolean
}

const pattern = /(?<=^|\s)([a-z_]+):(?:"([^"]*)("?)|(\S*))/gi

/** The terms that a text has, in their order. Names that the list does not know are words like others. */
export function termsIn(text: string, terms: readonly Term[]): TypedTerm[] {
  return [...text.matchAll(pattern)].flatMap(([typed, name = '', quoted, end, bare = '']) => {
    const term = terms.find((each) => each.name === name.toLowerCase())
    return term ? [{ term, words: quoted ?? bare, text: typed, isOpen: end === '' }] : []
  })
}

/** The words of a text alone: what the list is searched for. */
export const withoutTerms = (text: string, terms: readonly Term[]): string =>
  termsIn(text, terms)
    .reduce((rest, typed) => rest.replace(typed.text, ''), text)
    .replaceAll(/\s+/g, ' ')
    .trim()

/** The value that the words name among choices: by value, by label, or by how the one label begins that they fit. */
export function choiceNamed(
  words: string,
  choices: readonly { value: string; label: string }[],
): string | undefined {
  const small = words.toLowerCase()
  const same = choices.find(
    ({ value, label }) => value.toLowerCase() === small || label.toLowerCase() === small,
  )
  const begun = choices.filter(({ label }) => label.toLowerCase().startsWith(small))
  return (same ?? (begun.length === 1 ? begun[0] : undefined))?.value
}
