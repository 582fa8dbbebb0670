import { closeSync, fstatSync, type Stats } from 'node:fs'
import type { LogEntry } from '@gatehouse/contract'
import { logLevels, type LogLevel } from '@gatehouse/contract/log-levels'
import { IndexCache } from './index-cache.ts'
import { readUpTo, type IndexedFile } from './indexed-file.ts'
import { levelNames } from './levels.ts'
import { detectFormat, formatHeadBytes } from './line-format.ts'
import { openLogFile, type LogSource } from './open-log-file.ts'
import { FileChanged, readPage, type PageQuery } from './page-reader.ts'
import { indexTail } from './tail-index.ts'

export interface LogQuery {
  source: LogSource
  page: number
  perPage: number
  levels: LogLevel[]
  search: string
  entry?: number | undefined
}

export interface LogAnswer {
  rows: LogEntry[]
  /** An estimate while the file is being read. */
  total: number
  /** Found entries by level number; of the newest part while the file is being read. */
  levelTotals: readonly number[]
  page: number
  lastPage: number
  isStandard: boolean
  reading: { done_bytes: number; total_bytes: number } | null
}

/** How long an answer waits for the whole file to be read: the newest page has something to show anyway. */
const newestPatienceMs = 60
const otherPatienceMs = 3_000
const attemptsMax = 3

/** Answers one page of a file after the other, however large it is and whatever happens to it meanwhile. */
export class PageAnswers {
  readonly #cache = new IndexCache()

  /** Throws LogFileGone where the file is no longer there. */
  async answer(query: LogQuery): Promise<LogAnswer> {
    for (let attempt = 1; ; attempt++) {
      const fd = openLogFile(query.source)
      try {
        return await this.#answerFrom(fd, fstatSync(fd), query)
      } catch (error) {
        if (!(error instanceof FileChanged)) throw error
        // It is rewritten faster than it can be read: the caller has to ask again.
        if (attempt === attemptsMax) return nothingYet(fstatSync(fd).size)
      } finally {
        closeSync(fd)
      }
    }
  }

  async #answerFrom(fd: number, stats: Stats, query: LogQuery): Promise<LogAnswer> {
    const file = this.#cache.follow(query.source, fd, stats, query.search)
    const isNewest = query.page === 1 && query.entry === undefined
    await waitFor(file.pass, isNewest ? newestPatienceMs : otherPatienceMs)
    if (file.isDropped) throw new FileChanged()
    const pageQuery = toPageQuery(query)
    if (!file.isReady) return this.#answerMeanwhile(fd, stats.size, file, pageQuery, isNewest)
    try {
      const page = readPage(fd, file.index, pageQuery)
      if (!file.holds(fd)) throw new FileChanged()
      return { ...page, isStandard: file.index.format !== 'plain', reading: null }
    } catch (error) {
      this.#cache.forget(file)
      throw error
    }
  }

  /** While the file is being read: its newest entries, if those are asked for, and how far it has come. */
  async #answerMeanwhile(
    fd: number,
    size: number,
    file: IndexedFile,
    query: PageQuery,
    isNewest: boolean,
  ): Promise<LogAnswer> {
    const { scannedTo, format } = file.index
    const reading = { done_bytes: Math.min(scannedTo, size), total_bytes: size }
    const empty = { rows: [], total: 0, levelTotals: [], page: query.page, lastPage: query.page }
    const isStandard = format !== 'plain'
    const tail = isNewest && (await indexTail(file, fd, size, query.perPage, query.levels))
    if (!tail) return { ...empty, isStandard, reading }
    const { rows, levelTotals, total: found } = readPage(fd, tail, query)
    const isSame = detectFormat(readUpTo(fd, 0, formatHeadBytes)) === format
    if (!isSame || fstatSync(fd).size < size) throw new FileChanged()
    const total = Math.round((found * size) / Math.max(1, size - tail.from))
    const lastPage = Math.max(1, Math.ceil(total / query.perPage))
    return { rows, total, levelTotals, page: 1, lastPage, isStandard, reading }
  }
}

function toPageQuery({ page, perPage, levels, entry }: LogQuery): PageQuery {
  return {
    page,
    perPage,
    levels:
      levels.length === 0
        ? [...levelNames.keys()]
        : logLevels.filter((name) => levels.includes(name)).map((name) => levelNames.indexOf(name)),
    entry,
  }
}

const nothingYet = (size: number): LogAnswer => ({
  rows: [],
  total: 0,
  levelTotals: [],
  page: 1,
  lastPage: 1,
  isStandard: true,
  reading: { done_bytes: 0, total_bytes: size },
})

async function waitFor(work: Promise<void>, patienceMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs)
  })
  await Promise.race([work, patience])
  clearTimeout(timer)
}
