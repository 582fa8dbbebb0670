import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Value } from '../db/whole-database.ts'
import { backupHeader, type BackupHeader, type BackupMark } from './backup-format.ts'
import { CommandError } from './command.ts'
import type { RowSource } from './copy-rows.ts'
import { isSameSum, RowSum } from './row-sum.ts'

type Lines = AsyncIterator<string, undefined>

/** Lines of a backup, one after the other. Throws a CommandError where the file is no backup or is damaged. */
async function* linesIn(file: string): AsyncGenerator<string, undefined> {
  const unzipped = createGunzip()
  // The error of one is that of the other, and the loop below throws it.
  pipeline(createReadStream(file), unzipped).catch(() => {})
  try {
    yield* createInterface({ input: unzipped, crlfDelay: Infinity })
    // Readline may end in silence where its input has failed.
    if (unzipped.errored) throw unzipped.errored
    return undefined
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw code.startsWith('Z') ? damaged(file, 'its compression is broken or cut off') : error
  }
}

const damaged = (file: string, why: string) =>
  new CommandError(`${file} can't be restored: ${why}.`)

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
      const { sha256 } = JSON.parse(line) as { sha256: string }
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
  const parsed = backupHeader.safeParse(JSON.parse(line))
  if (!parsed.success) throw damaged(file, 'it has a format that this version does not know')
  return parsed.data
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
    const { end, rows, sha256 } = JSON.parse(line) as { end: string; rows?: number; sha256: string }
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
        return JSON.parse(value) as BackupMark
    }
  }
  return {
    migrations: header.migrations,
    counters: header.counters,
    async *tables() {
      for (let next = await nextMark(); next && 'table' in next; next = await nextMark()) {
        const table = tables.get(next.table)
        if (!table) throw damaged(file, `its header does not know ${next.table}`)
        yield { table, batches: rowsOf(lines) }
      }
    },
    async *files() {
      let next = await nextMark()
      while (next && !('file' in next)) next = await nextMark()
      for (; next && 'file' in next; next = await nextMark())
        yield { name: next.file, content: contentOf(lines) }
    },
  }
}

const batchRows = 100

/** To the mark of the end, which was checked before. */
async function* rowsOf(lines: Lines): AsyncGenerator<Value[][]> {
  let rows: Value[][] = []
  for (;;) {
    const { value, done } = await lines.next()
    if (done || !value.startsWith('[')) break
    rows.push(JSON.parse(value) as Value[])
    if (rows.length < batchRows) continue
    yield rows
    rows = []
  }
  yield rows
}

async function* contentOf(lines: Lines): AsyncGenerator<Buffer> {
  for (;;) {
    const { value, done } = await lines.next()
    if (done || !value.startsWith('"')) return
    yield Buffer.from(JSON.parse(value) as string, 'base64')
  }
}
