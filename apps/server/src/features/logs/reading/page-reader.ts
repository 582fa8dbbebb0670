import { readSync } from 'node:fs'
import type { LogEntry } from '@gatehouse/contract'
import { logEntryMaxBytes } from '@gatehouse/contract/log-levels'
import { longEntryBytes } from './block-table.ts'
import type { EntryIndex } from './entry-index.ts'
import { toRow } from './entry-row.ts'
import { EntryScanner } from './entry-scanner.ts'
import { levelNames } from './levels.ts'

export interface PageQuery {
  page: number
  perPage: number
  /** Level numbers that count. */
  levels: readonly number[]
  /** The page that holds the entry at this offset, in place of `page`. */
  entry?: number | undefined
}

interface PageRows {
  rows: LogEntry[]
  total: number
  /** Entries by level number, whatever levels are asked for. */
  levelTotals: readonly number[]
  page: number
  lastPage: number
}

/** The file is no longer what was indexed. */
export class FileChanged extends Error {
  override name = 'FileChanged'
}

/** A row's bytes, for one row after the other: pieces of their own pile up faster than the garbage collector looks. */
const rowBytes = Buffer.allocUnsafeSlow(logEntryMaxBytes)

const allLevels = levelNames.keys().toArray()

interface Mark {
  start: number
  end: number
  level: number
  isHit: boolean
  /** Place among the block's entries, from 0. */
  position: number
}

/**
 * One page, newest first; a page beyond the last is the last. Reads the blocks that the page's entries
 * lie in, and of each entry only what is shown. Throws FileChanged where the file does not hold what
 * the index says.
 */
export function readPage(fd: number, index: EntryIndex, query: PageQuery): PageRows {
  const { table } = index
  const { levels, perPage } = query
  const total = levels.reduce((sum, level) => sum + (table.levelTotals[level] ?? 0), 0)
  const lastPage = Math.max(1, Math.ceil(total / perPage))
  const wanted = query.entry === undefined ? query.page : pageOf(fd, index, query, query.entry)
  const page = Math.min(wanted, lastPage)
  let toSkip = (page - 1) * perPage
  let before = table.total
  const rows: LogEntry[] = []
  for (let block = table.count - 1; block >= 0 && rows.length < perPage; block--) {
    before -= table.all[block] ?? 0
    const count = table.hitsIn(block, levels)
    if (count <= toSkip) {
      toSkip -= count
      continue
    }
    const marks = shownMarks(fd, index, block, levels)
    const end = marks.length - toSkip
    const shown = marks.slice(Math.max(0, end - (perPage - rows.length)), end).toReversed()
    toSkip = 0
    // Line numbers are those of the whole file.
    const isNumbered = index.format === 'plain' && !index.skipsOrphans
    for (const mark of shown)
      rows.push(readRow(fd, index, mark, isNumbered ? before + mark.position + 1 : 0))
  }
  return { rows, total, levelTotals: [...table.levelTotals], page, lastPage }
}

/** The page with the entry that an offset lies in, or with the one before where it is filtered out. */
function pageOf(fd: number, index: EntryIndex, query: PageQuery, offset: number): number {
  const { table } = index
  if (table.count === 0) return 1
  const block = table.blockAt(offset)
  let newer = 0
  for (let later = block + 1; later < table.count; later++)
    newer += table.hitsIn(later, query.levels)
  const marks = shownMarks(fd, index, block, query.levels)
  newer += marks.filter(({ start }) => start > offset).length
  return Math.floor(newer / query.perPage) + 1
}

function shownMarks(
  fd: number,
  index: EntryIndex,
  block: number,
  levels: readonly number[],
): Mark[] {
  return marksIn(fd, index, block).filter(({ isHit, level }) => isHit && levels.includes(level))
}

/** The entries of a block, found again in its bytes; the counts show whether they are still the same. */
function marksIn(fd: number, index: EntryIndex, block: number): Mark[] {
  const { table, format, needle } = index
  const start = table.starts[block] ?? 0
  const end = block + 1 < table.count ? (table.starts[block + 1] ?? 0) : index.scannedTo
  const length = Math.min(end - start, table.reach + longEntryBytes)
  const bytes = readPiece(fd, start, Buffer.allocUnsafe(length))
  const marks: Mark[] = []
  new EntryScanner(format, needle).scan(bytes, start, false, {
    skipsOrphans: false,
    get hasBegun() {
      return marks.length > 0
    },
    begin: (entryStart, level) => {
      const last = marks.at(-1)
      if (last) last.end = entryStart
      const position = marks.length
      marks.push({ start: entryStart, end, level, isHit: needle === undefined, position })
    },
    hit: () => {
      const last = marks.at(-1)
      if (last) last.isHit = true
    },
  })
  for (const mark of marks) {
    if (needle && mark.end - mark.start > longEntryBytes)
      mark.isHit = table.longHits.has(mark.start)
  }
  const hits = marks.filter(({ isHit }) => isHit).length
  const isSame = marks.length === table.all[block] && hits === table.hitsIn(block, allLevels)
  if (!isSame || marks[0]?.start !== start) throw new FileChanged()
  return marks
}

function readRow(fd: number, index: EntryIndex, mark: Mark, lineNumber: number): LogEntry {
  const { start, level } = mark
  const length = Math.min(mark.end - start, logEntryMaxBytes)
  const isCutOff = mark.end - start > logEntryMaxBytes
  const bytes = readPiece(fd, start, rowBytes.subarray(0, length))
  return toRow({ start, level, bytes, isCutOff, lineNumber }, index.format)
}

/** Fills `bytes` with what the file holds from `start` on. */
function readPiece(fd: number, start: number, bytes: Buffer): Buffer {
  const { length } = bytes
  let filled = 0
  while (filled < length) {
    const count = readSync(fd, bytes, filled, length - filled, start + filled)
    if (count === 0) throw new FileChanged()
    filled += count
  }
  return bytes
}
