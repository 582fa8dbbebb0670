import { levelCount } from './levels.ts'

/** What a file's entries are counted in: blocks of some KiB that each begin with an entry. */
const smallestBlockBytes = 4 * 1024
const blocksMax = 64 * 1024
/** Entries longer than this are known by name when they match; they are too long to look at again. */
export const longEntryBytes = 64 * 1024

/** Everything that adding one more entry may change. */
export interface TableMark {
  count: number
  all: number
  hits: number[]
  levelTotals: number[]
  total: number
}

/**
 * Where entries begin and how many there are, by level, in blocks: enough to find any page, in a few
 * MiB for a file of any size. Block sizes double once there are more than 64 Ki of them.
 *
 * No entry begins more than `reach` bytes behind the begin of its block.
 */
export class BlockTable {
  count = 0
  starts = new Float64Array(64)
  /** Entries in each block. */
  all = new Uint32Array(64)
  /** Those of them that match what is searched for, by level. */
  hits = new Uint32Array(64 * levelCount)
  /** Matching entries in all, by level. */
  levelTotals: number[] = Array.from({ length: levelCount }, () => 0)
  total = 0
  readonly longHits = new Set<number>()
  /** Nothing is searched for: every entry matches. */
  readonly isWhole: boolean
  #blockBytes = smallestBlockBytes

  constructor(isWhole: boolean) {
    this.isWhole = isWhole
  }

  get reach(): number {
    return 2 * this.#blockBytes
  }

  get bytes(): number {
    return this.starts.byteLength + this.all.byteLength + this.hits.byteLength
  }

  /** Adds the next entry of the file. */
  add(start: number, end: number, level: number, isHit: boolean): void {
    const last = this.count - 1
    const isFull = last < 0 || start - (this.starts[last] ?? 0) >= this.#blockBytes
    const block = isFull ? this.#addBlock(start) : last
    this.all[block] = (this.all[block] ?? 0) + 1
    this.total++
    if (!isHit) return
    const cell = block * levelCount + level
    this.hits[cell] = (this.hits[cell] ?? 0) + 1
    this.levelTotals[level] = (this.levelTotals[level] ?? 0) + 1
    if (end - start > longEntryBytes) this.longHits.add(start)
  }

  #addBlock(start: number): number {
    if (this.count === this.starts.length) this.#grow()
    const block = this.count++
    this.starts[block] = start
    this.all[block] = 0
    this.hits.fill(0, block * levelCount, (block + 1) * levelCount)
    return block
  }

  #grow(): void {
    const size = this.starts.length * 2
    const starts = new Float64Array(size)
    const all = new Uint32Array(size)
    const hits = new Uint32Array(size * levelCount)
    starts.set(this.starts)
    all.set(this.all)
    hits.set(this.hits)
    Object.assign(this, { starts, all, hits })
  }

  /** Puts neighbouring blocks together while there are too many. Marks from before are void. */
  compact(): void {
    while (this.count > blocksMax) {
      this.#blockBytes *= 2
      this.#merge()
    }
  }

  #merge(): void {
    let kept = 0
    for (let block = 1; block < this.count; block++) {
      const start = this.starts[block] ?? 0
      const isNext = start - (this.starts[kept] ?? 0) >= this.#blockBytes
      if (isNext) this.starts[++kept] = start
      this.all[kept] = (isNext ? 0 : (this.all[kept] ?? 0)) + (this.all[block] ?? 0)
      for (let level = 0; level < levelCount; level++) {
        const cell = kept * levelCount + level
        const others = isNext ? 0 : (this.hits[cell] ?? 0)
        this.hits[cell] = others + (this.hits[block * levelCount + level] ?? 0)
      }
    }
    this.count = Math.min(this.count, kept + 1)
  }

  /** Matching entries of these levels in one block. */
  hitsIn(block: number, levels: readonly number[]): number {
    if (this.isWhole && levels.length === levelCount) return this.all[block] ?? 0
    let sum = 0
    for (const level of levels) sum += this.hits[block * levelCount + level] ?? 0
    return sum
  }

  /** The block that an offset lies in; 0 for what lies before the first. */
  blockAt(offset: number): number {
    let low = 0
    let high = this.count - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }

  mark(): TableMark {
    const last = Math.max(0, this.count - 1)
    return {
      count: this.count,
      all: this.all[last] ?? 0,
      hits: [...this.hits.subarray(last * levelCount, (last + 1) * levelCount)],
      levelTotals: [...this.levelTotals],
      total: this.total,
    }
  }

  /** Forgets what was added since the mark. */
  goBack(mark: TableMark): void {
    const last = Math.max(0, mark.count - 1)
    this.count = mark.count
    this.all[last] = mark.all
    this.hits.set(mark.hits, last * levelCount)
    this.levelTotals = [...mark.levelTotals]
    this.total = mark.total
  }
}
