import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Value } from '../../db/whole-database.ts'
import { linesOf, LineTooLong } from '../../kernel/text/lines-of.ts'
import { backupHeader, type BackupHeader, type BackupMark } from './backup-format.ts'
import { CommandError } from '../command.ts'
import type { RowSource } from '../copy/copy-rows.ts'
import { isSameSum, RowSum } from './row-sum.ts'

type Lines = AsyncIterator<string, undefined>

/** No row is as long: bodies have bounds, and a file that was made to fill the memory has none. */
const lineMaxBytes = 256 * 1_048_576

/** Lines of a backup, one after the other. Throws a CommandError where the file is no backup or is damaged. */
async function* linesIn(file: string): AsyncGenerator<string, undefined> {
  const unzipped = createGunzip()
  // The error of one is that of the other, and the loop below throws it.
  pipeline(createReadStream(file), unzipped).catch(() => {})
  try {
    yield* linesOf(unzipped, lineMaxBytes)
    return undefined
  } catch (error) {
    if (error instanceof LineTooLong) throw damaged(file, 'a line of it is too long')
    const { code = '' } = error as NodeJS.ErrnoException
    throw code.startsWith('Z') ? damaged(file, 'its compression is broken or cut off') : error
  }
}

const damaged = (file: string, why: string) =>
  new CommandError(`${file} can't be restored: ${why}.`)

function parsed(file: string, line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw Object.assign(damaged(file, 'a line of it is not JSON'), { cause })
  }
}

/**
 * Reads a backup to its end and checks every hash in it. Returns its header. Throws a CommandError where it is
 * damaged, cut off, or of another format.
 */
export async function verifyBackup(file: string): Promise<BackupHeader> {
  let header: BackupHeader | undefined
  let isWhole = false
  const hash = createHash('sha256')
  const sums = new SumCheck(file)
  for await (const line of linesIn(file)) {
    if (isWhole) throw damaged(file, 'something follows its end')
    header ??= readHeader(file, line)
    if (line.startsWith('{"end_of_backup":')) {
      const { sha256 } = parsed(file, line) as { sha256: string }
      if (hash.digest('hex') !== sha256) throw damaged(file, 'its content is not what was written')
      isWhole = true
      continue
    }
    hash.update(`${line}\n`)
    sums.read(line)
  }
  if (!header || !isWhole) throw damaged(file, 'it is cut off')
  return header
}

function readHeader(file: string, line: string): BackupHeader {
  if (!line.startsWith('{"gatehouse_backup":')) throw damaged(file, 'it is no backup of Gatehouse')
  const read = backupHeader.safeParse(parsed(file, line))
  if (!read.success) throw damaged(file, 'it has a format that this version does not know')
  return read.data
}

/** Compares each table with the sum that follows it. */
class SumCheck {
  readonly #file: string
  #sum = new RowSum()

  constructor(file: string) {
    this.#file = file
  }

  read(line: string): void {
    if (line.startsWith('[')) return this.#sum.add(line)
    if (line.startsWith('{"table":')) this.#sum = new RowSum()
    if (!line.startsWith('{"end":')) return
    const { end, rows, sha256 } = parsed(this.#file, line) as {
      end: string
      rows?: number
      sha256: string
    }
    if (rows !== undefined && !isSameSum(this.#sum.total, { rows, sha256 }))
      throw damaged(this.#file, `the rows of ${end} are not those that were written`)
  }
}

/** A file of the archive that is in a backup. */
export interface KeptFile {
  name: string
  content: AsyncIterable<Buffer>
}

/** The content of a verified backup: its rows, or its files. It can be read once. */
export function readBackup(
  file: string,
  header: BackupHeader,
): RowSource & { files(): AsyncIterable<KeptFile> } {
  const lines: Lines = linesIn(file)[Symbol.asyncIterator]()
  const tables = new Map(header.tables.map((table) => [table.name, table]))
  const nextMark = async (): Promise<BackupMark | undefined> => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) return undefined
      if (value.startsWith('{') && !value.startsWith('{"gatehouse_backup"'))
        return parsed(file, value) as BackupMark
    }
  }
  return {
    migrations: header.migrations,
    counters: header.counters,
    async *tables() {
      for (let next = await nextMark(); next && 'table' in next; next = await nextMark()) {
        const table = tables.get(next.table)
        if (!table) throw damaged(file, `its header does not know ${next.table}`)
        yield { table, batches: rowsOf(file, lines) }
      }
    },
    async *files() {
      let next = await nextMark()
      while (next && !('file' in next)) next = await nextMark()
      for (; next && 'file' in next; next = await nextMark())
        yield { name: next.file, content: contentOf(file, lines) }
    },
  }
}

const batchRows = 100

/** To the mark of the end, which was checked before. */
async function* rowsOf(file: string, lines: Lines): AsyncGenerator<Value[][]> {
  let rows: Value[][] = []
  for (;;) {
    const { value, done } = await lines.next()
    if (done || !value.startsWith('[')) break
    rows.push(parsed(file, value) as Value[])
    if (rows.length < batchRows) continue
    yield rows
    rows = []
  }
  yield rows
}

async function* contentOf(file: string, lines: Lines): AsyncGenerator<Buffer> {
  for (;;) {
    const { value, done } = await lines.next()
    if (done || !value.startsWith('"')) return
    yield Buffer.from(parsed(file, value) as string, 'base64')
  }
}
