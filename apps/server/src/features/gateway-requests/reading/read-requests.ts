import { listAccessFiles, openAccessFile, workerOf, type LogPlace } from './access-files.ts'
import { endOfLines } from './line-times.ts'
import type { AccessLine, RequestFilter } from './request-filter.ts'
import { WorkerLog } from './worker-log.ts'
import { closeSync } from 'node:fs'

export interface RequestQuestion {
  folder: string
  filter: RequestFilter
  limit: number
  /** Go on before these places, one for each worker; workers that are not named are done with. */
  older?: readonly LogPlace[] | undefined
  /** Go no further than these places. */
  since?: readonly LogPlace[] | undefined
}

export interface RequestAnswer {
  /** Newest first. */
  lines: Pick<AccessLine, 'file' | 'offset' | 'fields'>[]
  /** Empty: there is nothing more. */
  older: LogPlace[]
  /** The ends of all logs, as they were before this answer. */
  newest: LogPlace[]
  /** Where the bound on what one answer reads ended it. */
  lookedBackTo: string | null
}

/** What one answer reads at most: a quarter of a second where each line has to be parsed. */
export const readMaxBytes = 64 * 1024 * 1024

/** Requests from the access logs of all workers, merged by time. Reads `readMaxBytes` and a piece at most. */
export function readRequests(question: RequestQuestion): RequestAnswer {
  const { folder, limit } = question
  const files = listAccessFiles(folder)
  const newest = [...files.values()].flatMap((each) => endOf(folder, each[0]))
  const logs = openLogs(question, files)
  try {
    const lines: AccessLine[] = []
    let bytes = 0
    for (;;) {
      takeOldestFirst(logs, lines, limit)
      const [next] = underWay(logs)
      if (lines.length >= limit || next === undefined || bytes >= readMaxBytes) break
      bytes += next.read()
    }
    const older = logs.flatMap(({ place }) => place ?? [])
    const [reached] = underWay(logs)
    const isCutShort = lines.length < limit && reached !== undefined
    return { lines, older, newest, lookedBackTo: isCutShort ? reached.reachedKey : null }
  } finally {
    for (const log of logs) log.close()
  }
}

function openLogs(
  { folder, filter, older, since }: RequestQuestion,
  files: ReadonlyMap<string, readonly string[]>,
): WorkerLog[] {
  const placeOf = (places: readonly LogPlace[] | undefined, worker: string) =>
    places?.find(({ file }) => workerOf(file) === worker)
  return [...files].flatMap(([worker, names]) => {
    const before = placeOf(older, worker)
    if (older !== undefined && before === undefined) return []
    return new WorkerLog({ folder, files: names, filter, before, downTo: placeOf(since, worker) })
  })
}

/** Logs with something left to read, the one that has to go back furthest first. */
const underWay = (logs: readonly WorkerLog[]) =>
  logs
    .filter(({ isDone }) => !isDone)
    .toSorted((one, other) => (one.reachedKey < other.reachedKey ? 1 : -1))

/** Takes what was found, as long as no log can still hold something that is newer. */
function takeOldestFirst(logs: readonly WorkerLog[], lines: AccessLine[], limit: number): void {
  const bound = underWay(logs)[0]?.reachedKey ?? ''
  while (lines.length < limit) {
    const newest = logs
      .filter(({ found }) => (found[0]?.key ?? '') >= bound && found.length > 0)
      .toSorted((one, other) => ((one.found[0]?.key ?? '') < (other.found[0]?.key ?? '') ? 1 : -1))
    const line = newest[0]?.found.shift()
    if (line === undefined) return
    lines.push(line)
  }
}

function endOf(folder: string, file: string | undefined): LogPlace[] {
  const opened = file === undefined ? undefined : openAccessFile(folder, file)
  if (file === undefined || opened === undefined) return []
  try {
    return [{ file, offset: endOfLines(opened.fd, opened.size) }]
  } finally {
    closeSync(opened.fd)
  }
}
