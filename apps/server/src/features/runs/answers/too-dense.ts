/** Separators, brackets and tags: a text with more takes a thread too much memory. */
const marksMax = 2_000_000
const marks = new Set([...',:<[{'].map((mark) => mark.charCodeAt(0)))

/** Whether a text of JSON or XML has more values than a thread can hold. */
export function isTooDense(text: string): boolean {
  if (text.length <= marksMax) return false
  let count = 0
  for (let at = 0; at < text.length; at++) if (marks.has(text.charCodeAt(at))) count++
  return count > marksMax
}
