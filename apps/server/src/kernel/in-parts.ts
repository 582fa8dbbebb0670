/** A list in parts of at most `size`: databases limit the parameters of a statement. */
export function* inParts<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size)
}
