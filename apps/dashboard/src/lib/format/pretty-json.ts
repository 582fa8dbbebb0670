import { parseExact, stringifyExact } from '@gatehouse/contract/mapping'

/** A text for reading: JSON pretty-printed with exact numbers, anything else as it is. */
export function prettyJson(text: string): string {
  try {
    return stringifyExact(parseExact(text), 2)
  } catch {
    return text
  }
}
