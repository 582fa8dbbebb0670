interface TextChange {
  from: number
  to: number
  insert: string
}

/**
 * The one replacement that turns `before` into `after`. Equal beginnings and ends are not replaced, so
 * that folds and the scroll position there are kept. Undefined when the texts are equal.
 */
export function minimalChange(before: string, after: string): TextChange | undefined {
  if (before === after) return undefined
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1
  let end = 0
  while (
    end < shorter - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  ) {
    end += 1
  }
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) }
}
