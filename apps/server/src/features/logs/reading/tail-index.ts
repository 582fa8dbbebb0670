import { EntryIndex } from './entry-index.ts'
import { readUpTo, type IndexedFile } from './indexed-file.ts'

const smallestTail = 128 * 1024
const largestTail = 4 * 1024 * 1024

/**
 * An index of a file's end alone, for its newest page while the whole is still being scanned: so much
 * of it as holds `wanted` matching entries, at most 4 MiB. Undefined where not one entry begins there.
 */
export async function indexTail(
  { index: { format, needle, from } }: IndexedFile,
  fd: number,
  size: number,
  wanted: number,
  levels: readonly number[],
): Promise<EntryIndex | undefined> {
  for (let length = smallestTail; ; length = Math.min(length * 4, largestTail)) {
    const isLargest = length >= largestTail || length >= size
    const start = Math.max(from, size - length)
    const lineStart = start === from ? from : behindNewline(fd, start, size)
    if (lineStart !== undefined) {
      const tail = new EntryIndex({ format, needle, from: lineStart, skipsOrphans: start > from })
      await tail.extend(fd, size)
      const found = levels.reduce((sum, level) => sum + (tail.table.levelTotals[level] ?? 0), 0)
      if (found >= wanted || (isLargest && tail.table.count > 0)) return tail
    }
    if (isLargest) return undefined
  }
}

function behindNewline(fd: number, start: number, size: number): number | undefined {
  const bytes = readUpTo(fd, start, size - start)
  const found = bytes.indexOf(0x0a)
  return found < 0 || start + found + 1 >= size ? undefined : start + found + 1
}
