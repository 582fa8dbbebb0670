import { closeSync, constants, fstatSync, openSync, realpathSync, statSync } from 'node:fs'
import { sep } from 'node:path'

/** A file of the listing: its real path, and the real path of the root that it must lie under. */
export interface LogSource {
  path: string
  root: string
}

/** The file is not there any more, or is not what the listing found. */
export class LogFileGone extends Error {
  override name = 'LogFileGone'
}

// O_NONBLOCK, or opening a pipe that was put in the file's place would wait for a writer.
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Opens a file of the listing to read. What was opened must be a regular file, reached by no link,
 * and still lie where the listing found it. Throws LogFileGone otherwise.
 */
export function openLogFile({ path, root }: LogSource): number {
  let fd: number | undefined
  try {
    fd = openSync(path, flags)
    if (isTheListedFile(fd, path, root)) return fd
  } catch (cause) {
    if (fd !== undefined) closeSync(fd)
    throw new LogFileGone('The log file could not be opened.', { cause })
  }
  closeSync(fd)
  throw new LogFileGone('The log file is not what the listing found.')
}

function isTheListedFile(fd: number, path: string, root: string): boolean {
  const opened = fstatSync(fd)
  const named = statSync(path)
  return (
    opened.isFile() &&
    isUnder(root, path) &&
    realpathSync.native(path) === path &&
    opened.ino === named.ino &&
    opened.dev === named.dev
  )
}

/** Does a real path lie under a folder's real path? */
export function isUnder(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
