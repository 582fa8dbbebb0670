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

/** What a text of more lines changed in is not told apart. */
const mostLines = 20_000

/**
 * The lines of `after`, from 1, that differ from `before`. Where as many lines as before lie between the first
 * and the last change, each is compared with the one at its place; else all of those between count.
 */
export function changedLines(before: string, after: string): number[] {
  const [was, is] = [before.split('\n'), after.split('\n')]
  if (before === after || was.length > mostLines || is.length > mostLines) return []
  const shorter = Math.min(was.length, is.length)
  let start = 0
  while (start < shorter && was[start] === is[start]) start += 1
  let end = 0
  while (end < shorter - start && was.at(-1 - end) === is.at(-1 - end)) end += 1
  const isSameCount = was.length === is.length
  return is
    .slice(start, is.length - end)
    .flatMap((line, at) => (isSameCount && line === was[start + at] ? [] : [start + at + 1]))
}
