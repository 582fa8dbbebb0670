import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LogEntry } from '@gatehouse/contract'
import { logLevels } from '@gatehouse/contract/log-levels'
import type { LogQuery } from '../../src/features/logs/reading/answer-page.ts'
import { generateHostileLogs, type HostileLog, type Sizes } from './generate.ts'
import { readReference, searchReference, type ReferenceEntry } from './reference.ts'
import { startReader, type ReaderClient } from './reader-client.ts'
import { seededRandom } from './seeded-random.ts'

interface HostileReport {
  files: number
  rows: number
  bytes: number
  peakMiB: number
  problems: string[]
}

/** Reads generated files page by page and holds every row against the reference. */
export async function checkHostileLogs(sizes: Sizes): Promise<HostileReport> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'gatehouse-hostile-'))
  const reader = startReader()
  const report = { files: 0, rows: 0, bytes: 0, peakMiB: 0, problems: [] as string[] }
  try {
    for (const log of generateHostileLogs(sizes)) {
      const path = join(folder, `${report.files}.log`)
      writeFileSync(path, log.bytes)
      report.files++
      report.bytes += log.bytes.length
      try {
        report.rows += await checkLog(reader, path, log)
      } catch (error) {
        report.problems.push(`${log.name}: ${(error as Error).message}`)
      }
      rmSync(path)
    }
  } finally {
    report.peakMiB = Math.round(reader.peakMiB)
    await reader.end()
    rmSync(folder, { recursive: true, force: true })
  }
  return report
}

async function checkLog(reader: ReaderClient, path: string, log: HostileLog): Promise<number> {
  const { format, entries } = readReference(log.bytes)
  const random = seededRandom(log.bytes.length)
  const newest = entries.toReversed()
  const numbers = new Map(entries.map(({ id }, index) => [id, String(index + 1)]))
  let rows = await checkPages(reader, path, newest, {}, (row) => {
    if (format !== 'plain' || /\d[-/ ](\d\d|[A-Z][a-z]{2})[-/ ]\d|^[A-Z][a-z]{2} /.test(row.date))
      return
    must(row.date === numbers.get(row.id), `entry ${row.id} is line ${row.date}`)
  })
  const { isStandard } = await reader.readWhole(path)
  must(isStandard === (format !== 'plain'), `is read as ${isStandard ? 'standard' : 'plain'}`)
  const level = random.pick(logLevels)
  if (entries.every((entry) => entry.level !== undefined)) {
    const wanted = newest.filter((entry) => entry.level === level)
    rows += await checkPages(reader, path, wanted, { levels: [level] })
  }
  const needle = pickNeedle(entries, random.integer(0, 1_000_000))
  if (needle) {
    const ids = new Set(searchReference(entries, needle))
    const wanted = newest.filter(({ id }) => ids.has(id))
    rows += await checkPages(reader, path, wanted, { search: needle })
  }
  if (newest.length > 0) {
    const linked = newest[random.integer(0, newest.length - 1)]
    const page = await reader.readWhole(path, { entry: linked?.id })
    must(
      page.rows.some(({ id }) => id === linked?.id),
      `the link to ${linked?.id} leads elsewhere`,
    )
  }
  return rows
}

/** A few letters that occur in one line. */
function pickNeedle(entries: ReferenceEntry[], at: number): string | undefined {
  const lines = entries[at % Math.max(1, entries.length)]?.lines ?? []
  const line = lines[at % Math.max(1, lines.length)] ?? ''
  const words = line.slice(0, 100_000).match(/[A-Za-z0-9 .]{3,12}/g) ?? []
  const word = words[at % Math.max(1, words.length)]?.trim().toUpperCase()
  return word === '' ? undefined : word
}

async function checkPages(
  reader: ReaderClient,
  path: string,
  expected: ReferenceEntry[],
  filter: Partial<LogQuery>,
  checkMore: (row: LogEntry) => void = () => {},
): Promise<number> {
  const perPage = 100
  const lastPage = Math.max(1, Math.ceil(expected.length / perPage))
  const pages = new Set([1, 2, Math.ceil(lastPage / 2), lastPage - 1, lastPage])
  if (lastPage <= 8) for (let page = 1; page <= lastPage; page++) pages.add(page)
  let rows = 0
  for (const page of pages) {
    if (page < 1 || page > lastPage) continue
    const answer = await reader.readWhole(path, { page, perPage, ...filter })
    const wanted = expected.slice((page - 1) * perPage, page * perPage)
    const where = `page ${page} ${JSON.stringify(filter)}`
    must(answer.total === expected.length, `${where}: ${answer.total} of ${expected.length}`)
    must(answer.page === page && answer.lastPage === lastPage, `${where}: is page ${answer.page}`)
    must(answer.rows.length === wanted.length, `${where}: ${answer.rows.length} rows`)
    for (const [index, row] of answer.rows.entries()) {
      checkRow(row, wanted[index], where)
      checkMore(row)
    }
    rows += answer.rows.length
  }
  return rows
}

function checkRow(row: LogEntry, wanted: ReferenceEntry | undefined, where: string): void {
  const at = `${where}, entry ${row.id}`
  must(row.id === wanted?.id, `${at}: is shown in the place of ${wanted?.id}`)
  if (!wanted) return
  must(
    wanted.level === undefined || row.level === wanted.level,
    `${at}: ${row.level}, not ${wanted.level}`,
  )
  const isSame = (got: string, text: string | undefined) =>
    text === undefined || got === text || (text.length > 65_536 && text.startsWith(got))
  must(isSame(row.text, wanted.text), `${at}: text ${JSON.stringify(row.text.slice(0, 200))}`)
  must(isSame(row.stack, wanted.stack) || row.is_truncated, `${at}: stack`)
  must(row.is_truncated || wanted.length <= 65_537, `${at}: is not said to be cut`)
  must(row.text.length + row.stack.length <= 65_536, `${at}: is too long`)
  const all = row.text + row.stack + row.context + row.date + row.request_id
  must(
    !/[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/.test(all),
    `${at}: control characters`,
  )
}

function must(holds: boolean, problem: string): void {
  if (!holds) throw new Error(problem)
}
