/** Bytes of a text in UTF-8. Past `limit` it may stop early and return any number above it. */
export function utf8Length(text: string, limit: number): number {
  if (text.length > limit) return text.length
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x80) continue
    // A surrogate pair is two code units and four bytes; a lone surrogate is sent as U+FFFD.
    const isPair = code >= 0xd800 && code < 0xdc00 && isLowSurrogate(text.charCodeAt(i + 1))
    if (isPair) i++
    bytes += code < 0x800 ? 1 : 2
  }
  return bytes
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000
}

const quote = 0x22
const openList = 0x5b
const backslash = 0x5c
const endList = 0x5d
const openObject = 0x7b
const endObject = 0x7d

/** Where a JSON text opens its level `maxDepth + 1`, or undefined. Does not check the syntax. */
export function findTooDeep(text: string, maxDepth: number): number | undefined {
  let depth = 0
  let isInString = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (isInString) {
      if (code === backslash) i++
      else if (code === quote) isInString = false
    } else if (code === quote) isInString = true
    else if (code === openList || code === openObject) {
      depth++
      if (depth > maxDepth) return i
    } else if (code === endList || code === endObject) depth--
  }
  return undefined
}
