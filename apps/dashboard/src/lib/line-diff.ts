export interface DiffLine {
  kind: 'same' | 'old' | 'new'
  text: string
}

/** Beyond this many comparisons the differing middle is shown as replaced whole. */
const comparisonsMax = 4_000_000

/** What turns one text into another, line by line: a longest common subsequence. */
export function diffLines(before: string, after: string): DiffLine[] {
  const old = before.split('\n')
  const now = after.split('\n')
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1
  let end = 0
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  ) {
    end += 1
  }
  return [
    ...mark('same', old.slice(0, start)),
    ...diffMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...mark('same', old.slice(old.length - end)),
  ]
}

const mark = (kind: DiffLine['kind'], texts: readonly string[]): DiffLine[] =>
  texts.map((text) => ({ kind, text }))

function diffMiddle(old: string[], now: string[]): DiffLine[] {
  if (old.length * now.length > comparisonsMax) return [...mark('old', old), ...mark('new', now)]
  const lengths = commonLengths(old, now)
  const width = now.length + 1
  const lines: DiffLine[] = []
  let at = 0
  let to = 0
  while (at < old.length && to < now.length) {
    const [oldText = '', newText = ''] = [old[at], now[to]]
    if (oldText === newText) {
      lines.push({ kind: 'same', text: oldText })
      at += 1
      to += 1
    } else if ((lengths[(at + 1) * width + to] ?? 0) >= (lengths[at * width + to + 1] ?? 0)) {
      lines.push({ kind: 'old', text: oldText })
      at += 1
    } else {
      lines.push({ kind: 'new', text: newText })
      to += 1
    }
  }
  return [...lines, ...mark('old', old.slice(at)), ...mark('new', now.slice(to))]
}

/** Length of the longest common subsequence of what follows each pair of lines. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint32Array {
  const width = now.length + 1
  const lengths = new Uint32Array((old.length + 1) * width)
  for (let at = old.length - 1; at >= 0; at--) {
    for (let to = now.length - 1; to >= 0; to--) {
      lengths[at * width + to] =
        old[at] === now[to]
          ? (lengths[(at + 1) * width + to + 1] ?? 0) + 1
          : Math.max(lengths[(at + 1) * width + to] ?? 0, lengths[at * width + to + 1] ?? 0)
    }
  }
  return lengths
}

export interface DiffGap {
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
