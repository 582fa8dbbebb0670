import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { glob, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { syncFolder } from '../../http/put-file.ts'
import type { BackupHeader, BackupMark } from './backup-format.ts'
import type { RowSource } from '../copy/copy-rows.ts'
import { RowSum, rowText } from './row-sum.ts'

interface Written {
  rows: number
  files: number
  bytes: number
}

interface WriteOptions {
  header: BackupHeader
  source: RowSource
  /** The folder whose files go with it; undefined: none. */
  archiveDir: string | undefined
}

/** Lines that are compressed together. */
const chunkChars = 256 * 1024
const fileChunkBytes = 768 * 1024

/**
 * Writes a backup beside `file` and puts it there when it is whole and on the disk. A name of its own: what one that
 * was killed has left stands in no other's way.
 */
export async function writeBackup(file: string, options: WriteOptions): Promise<Written> {
  const part = `${file}.${randomBytes(4).toString('hex')}.part`
  const counts = { rows: 0, files: 0 }
  try {
    const lines = withEnd(linesOf(options, counts))
    await pipeline(
      Readable.from(inChunks(lines), { objectMode: false }),
      createGzip({ level: 5 }),
      createWriteStream(part, { flags: 'wx', mode: 0o600 }),
    )
    const written = await open(part, 'r')
    await written.sync()
    await written.close()
    await rename(part, file)
    syncFolder(dirname(file))
    return { ...counts, bytes: (await stat(file)).size }
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

async function* linesOf(
  { header, source, archiveDir }: WriteOptions,
  counts: { rows: number; files: number },
): AsyncGenerator<string> {
  yield JSON.stringify(header)
  for await (const { table, batches } of source.tables()) {
    yield mark({ table: table.name })
    const sum = new RowSum()
    for await (const rows of batches) {
      for (const row of rows) {
        const text = rowText(row)
        sum.add(text)
        yield text
      }
    }
    counts.rows += sum.total.rows
    yield mark({ end: table.name, ...sum.total })
  }
  if (archiveDir === undefined) return
  for await (const entry of glob('**/*', { cwd: archiveDir, withFileTypes: true })) {
    if (!entry.isFile()) continue
    counts.files++
    yield* linesOfFile(archiveDir, join(entry.parentPath, entry.name))
  }
}

async function* linesOfFile(folder: string, path: string): AsyncGenerator<string> {
  const name = path.slice(folder.length).replace(/^[/\\]+/, '')
  yield mark({ file: name })
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: fileChunkBytes })) {
    const bytes = chunk as Buffer
    hash.update(bytes)
    yield JSON.stringify(bytes.toString('base64'))
  }
  yield mark({ end: name, sha256: hash.digest('hex') })
}

const mark = (value: BackupMark) => JSON.stringify(value)

async function* withEnd(lines: AsyncIterable<string>): AsyncGenerator<string> {
  const hash = createHash('sha256')
  for await (const line of lines) {
    hash.update(`${line}\n`)
    yield line
  }
  yield mark({ end_of_backup: true, sha256: hash.digest('hex') })
}

async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let text = ''
  for await (const line of lines) {
    text += `${line}\n`
    if (text.length < chunkChars) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text)
}
