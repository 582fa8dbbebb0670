const escape = 0x1b

/**
 * Takes ANSI colours out of a piece of text: `ESC [ … m`, and the `ESC [ K` that colouring tools put
 * beside them. Other sequences stay, and show as what they are. One pass over the bytes; the same
 * piece comes back when it holds no escape at all.
 */
export function stripColours(bytes: Uint8Array): Uint8Array {
  let found = bytes.indexOf(escape)
  if (found < 0) return bytes
  const kept = Buffer.allocUnsafe(bytes.length)
  let length = 0
  let at = 0
  while (found >= 0) {
    kept.set(bytes.subarray(at, found), length)
    length += found - at
    const close = endOfColour(bytes, found)
    if (close === found) kept[length++] = escape
    at = Math.max(close, found + 1)
    found = bytes.indexOf(escape, at)
  }
  kept.set(bytes.subarray(at), length)
  return kept.subarray(0, length + bytes.length - at)
}

/** Behind the colour sequence that begins at `at`; `at` itself where none does. */
function endOfColour(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] !== 0x5b) return at
  let next = at + 2
  while (isParameter(bytes[next] ?? 0)) next++
  const final = bytes[next]
  return final === 0x6d || final === 0x4b ? next + 1 : at
}

/** Digits, `:` and `;`. */
const isParameter = (byte: number) => byte >= 0x30 && byte <= 0x3b
