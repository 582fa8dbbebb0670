import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Puts a file, for this account alone, in its place: whole and on the disk, or not at all, whatever ends the process
 * or the machine. Nobody else may write to its folder at the same time.
 */
export function putFile(file: string, content: string): void {
  const part = `${file}.part`
  rmSync(part, { force: true })
  try {
    writeFileSync(part, content, { mode: 0o600, flag: 'wx', flush: true })
    renameSync(part, file)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
  syncFolder(dirname(file))
}

/** Before this, a crash of the machine may bring the names of before back. Windows can't do it and need not. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
