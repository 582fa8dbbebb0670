import { diffArrays } from 'diff'

export interface DiffLine {
  kind: 'same' | 'old' | 'new'
  text: string
}

/** The search takes time and memory in the square of this. Texts that differ more are not searched. */
const changedLinesMax = 1000

/**
 * What turns one text into another, line by line. Where too many lines differ, everything between
 * the first and the last difference is shown as replaced.
 */
export function diffLines(before: string, after: string): DiffLine[] {
  const old = before.split('\n')
  const now = after.split('\n')
  const changes = diffArrays(old, now, { maxEditLength: changedLinesMax })
  if (!changes) return replaceMiddle(old, now)
  return changes.flatMap(({ removed, added, value }) =>
    mark(removed ? 'old' : added ? 'new' : 'same', value),
  )
}

const mark = (kind: DiffLine['kind'], texts: readonly string[]): DiffLine[] =>
  texts.map((text) => ({ kind, text }))

function replaceMiddle(old: readonly string[], now: readonly string[]): DiffLine[] {
  const shorter = Math.min(old.length, now.length)
  let start = 0
  while (start < shorter && old[start] === now[start]) start += 1
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end += 1
  return [
    ...mark('same', old.slice(0, start)),
    ...mark('old', old.slice(start, old.length - end)),
    ...mark('new', now.slice(start, now.length - end)),
    ...mark('same', old.slice(old.length - end)),
  ]
}

interface DiffGap {
  kind: 'gap'
  text: string
}

/** Leaves out equal lines that are further than `context` from a difference. */
export function foldSame(lines: readonly DiffLine[], context = 3): (DiffLine | DiffGap)[] {
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== 'same')
  const folded: (DiffLine | DiffGap)[] = []
  let hidden = 0
  for (const [at, line] of lines.entries()) {
    if (line.kind !== 'same' || isNear(at)) {
      if (hidden > 0) folded.push(gapOf(hidden))
      hidden = 0
      folded.push(line)
    } else hidden += 1
  }
  return hidden > 0 ? [...folded, gapOf(hidden)] : folded
}

const gapOf = (count: number): DiffGap => ({
  kind: 'gap',
  text: count === 1 ? '1 equal line' : `${count} equal lines`,
})
