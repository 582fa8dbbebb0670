import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** What a test that needs one says where `mountSmallDisk` returned false. */
export const noSmallDisk = 'a small disk can only be mounted by root on Linux'

/** Mounts a file system in memory at a folder; `options` bound it. False where that is not possible. */
export function mountSmallDisk(at: string, options: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', at], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export function unmount(at: string): void {
  execFileSync('umount', ['-l', at])
}

/** Writes a file until nothing more fits on its disk. Returns what makes room again. */
export function fillDisk(folder: string): () => void {
  const file = join(folder, 'fill')
  const descriptor = openSync(file, 'w')
  const block = Buffer.alloc(64 * 1024)
  try {
    // Not one byte is left: a write that fits in part is followed by smaller ones.
    for (let bytes = block.length; bytes > 0;) {
      try {
        writeSync(descriptor, block, 0, bytes)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        bytes = Math.floor(bytes / 2)
      }
    }
  } finally {
    closeSync(descriptor)
  }
  return () => rmSync(file)
}
