import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'

/** A place between two lines of the access log. */
export interface LogPlace {
  file: string
  offset: number
}

const accessFile = /^gateway-(\d{1,4})-(\d{4}-\d\d-\d\d)(?:\.(\d{1,6}))?\.log$/

/** The worker whose access log a file is, and what orders its files; undefined: it is none. */
function describe(file: string) {
  const [, worker, day = '', number = '1'] = accessFile.exec(file) ?? []
  return worker === undefined ? undefined : { worker, order: day + number.padStart(6, '0') }
}

/** The worker whose access log a file is; undefined: it is none. */
export const workerOf = (file: string) => describe(file)?.worker

/** Of two files of one worker, was the first one begun earlier? */
export const isOlderFile = (one: string, other: string) =>
  (describe(one)?.order ?? '') < (describe(other)?.order ?? '')

/** Day (UTC) on which the lines of a file were written. */
export const dayOf = (file: string) => describe(file)?.order.slice(0, 10) ?? ''

/** The access logs in a folder by worker, the newest first; none where there is no such folder. */
export function listAccessFiles(folder: string): Map<string, string[]> {
  const byWorker = new Map<string, string[]>()
  for (const file of readNames(folder)) {
    const worker = workerOf(file)
    if (worker === undefined) continue
    byWorker.set(worker, [...(byWorker.get(worker) ?? []), file])
  }
  for (const files of byWorker.values()) {
    files.sort((one, other) => (isOlderFile(one, other) ? 1 : -1))
  }
  return byWorker
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

// O_NONBLOCK, or opening a pipe that was put in the file's place would wait for a writer.
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Opens a file of the listing; undefined: it was removed since, or is no regular file. */
export function openAccessFile(
  folder: string,
  file: string,
): { fd: number; size: number } | undefined {
  try {
    const fd = openSync(join(folder, file), flags)
    const stats = fstatSync(fd)
    if (stats.isFile()) return { fd, size: stats.size }
    closeSync(fd)
  } catch {
    // Removed for its age since it was listed.
  }
  return undefined
}

/** As many bytes as there are between two places. */
export function readBetween(fd: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, to - from))
  let filled = 0
  while (filled < bytes.length) {
    const count = readSync(fd, bytes, filled, bytes.length - filled, from + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}
