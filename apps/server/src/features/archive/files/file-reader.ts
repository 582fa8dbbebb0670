import { createHash, type Hash } from 'node:crypto'
import { closeSync, createReadStream, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, gunzipSync } from 'node:zlib'
import {
  manifest as manifestSchema,
  manifestNameOf,
  type Block,
  type Manifest,
} from './manifest.ts'
import { factsOfLine, fingerprintOf, hashOf, newline, readLine } from './run-line.ts'

/** A file of the archive, with the hashes that it had when it was written. */
export interface KeptFile {
  folder: string
  name: string
  sha256: string
  content_sha256: string
  manifest_sha256: string
}

/** Where a line is, and the hash that it has to have. */
export interface LinePlace {
  at: number
  bytes: number
  sha256: string
}

/** A line as the file holds it. */
export interface LineEntry extends LinePlace {
  runId: number
  /** From 1. */
  line: number
  fingerprint: string
}

/** The file, or its manifest, is not what was written. */
export class FileChanged extends Error {
  override name = 'FileChanged'
}

/** Throws a FileChanged where a hash of the file or its manifest is another one, ENOENT where one is gone. */
export async function checkFile(file: KeptFile): Promise<void> {
  readManifest(file)
  const hashes = { whole: createHash('sha256'), content: createHash('sha256') }
  // First the file whole: what decompresses it may stop before the end of the file.
  await pipeline(readingOf(file), hashing(hashes.whole))
  if (hashes.whole.digest('hex') !== file.sha256)
    throw new FileChanged(`${file.name} is not what was written.`)
  await pipeline(readingOf(file), createGunzip(), hashing(hashes.content))
  if (hashes.content.digest('hex') !== file.content_sha256)
    throw new FileChanged(`${file.name} does not hold what was written.`)
}

const readingOf = ({ folder, name }: KeptFile) => createReadStream(join(folder, name))

const hashing = (hash: Hash) => async (parts: AsyncIterable<Buffer>) => {
  for await (const part of parts) hash.update(part)
}

function readManifest({ folder, name, manifest_sha256 }: KeptFile): Manifest {
  const text = readFileSync(join(folder, manifestNameOf(name)), 'utf8')
  if (hashOf(text) !== manifest_sha256)
    throw new FileChanged(`${manifestNameOf(name)} is not what was written.`)
  return manifestSchema.parse(JSON.parse(text))
}

/** The lines of some blocks from number `from`; `next` is the block after them, null at the end. */
export function listLines(file: KeptFile, from: number, count: number) {
  const { blocks } = readManifest(file)
  const some = blocks.slice(from, from + count)
  const entries: LineEntry[] = []
  let line = blocks.slice(0, from).reduce((sum, { lines }) => sum + lines, 0)
  for (const block of some)
    for (const text of linesOf(readBlock(file, block))) {
      line += 1
      const run = readLine(text.toString('utf8'))
      const fingerprint = fingerprintOf(factsOfLine(run))
      const { at, bytes } = block
      entries.push({ runId: run.run.id, line, at, bytes, sha256: hashOf(text), fingerprint })
    }
  return { entries, next: from + count < blocks.length ? from + count : null }
}

/** The text of one line. Throws a FileChanged where the file does not have it there. */
export function readOneLine(file: Pick<KeptFile, 'folder' | 'name'>, place: LinePlace): string {
  for (const line of linesOf(readBlock(file, place)))
    if (hashOf(line) === place.sha256) return line.toString('utf8')
  throw new FileChanged(`${file.name} has another line there.`)
}

/** Lines of some blocks that hold a text. */
export function searchBlocks(file: KeptFile, text: string, from: number, count: number) {
  const { blocks } = readManifest(file)
  // The bodies are texts inside of JSON: quotes and line breaks are escaped there.
  const needle = Buffer.from(JSON.stringify(text).slice(1, -1))
  const some = blocks.slice(from, from + count)
  const runIds: number[] = []
  for (const block of some) {
    const content = readBlock(file, block)
    if (!content.includes(needle)) continue
    for (const line of linesOf(content))
      if (line.includes(needle)) runIds.push(readLine(line.toString('utf8')).run.id)
  }
  const bytes = some.reduce((sum, each) => sum + each.bytes, 0)
  return { runIds, bytes, next: from + count < blocks.length ? from + count : null }
}

function readBlock(
  { folder, name }: Pick<KeptFile, 'folder' | 'name'>,
  { at, bytes }: Pick<Block, 'at' | 'bytes'>,
): Buffer {
  const descriptor = openSync(join(folder, name), 'r')
  const block = Buffer.alloc(bytes)
  try {
    const read = readSync(descriptor, block, 0, bytes, at)
    if (read < bytes) throw new FileChanged(`${name} is too short.`)
    return gunzipSync(block)
  } catch (error) {
    if (error instanceof FileChanged || isSystemError(error)) throw error
    throw new FileChanged(`${name} can't be decompressed.`, { cause: error })
  } finally {
    closeSync(descriptor)
  }
}

function* linesOf(content: Buffer): Generator<Buffer> {
  for (let from = 0; from < content.length;) {
    const end = content.indexOf(newline, from)
    if (end === -1) throw new FileChanged('The last line has no end.')
    yield content.subarray(from, end)
    from = end + 1
  }
}

/** Of a call to the operating system; zlib's errors have no such number. */
const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error
