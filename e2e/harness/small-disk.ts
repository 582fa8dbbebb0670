import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Mounts a file system in memory. Returns what takes it away; undefined where only root on Linux could. */
export function mountSmallDisk(folder: string, megabytes: number): (() => void) | undefined {
  const size = `size=${megabytes}m`
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  return () => execFileSync('umount', ['-l', folder])
}

/** Writes a file until not one byte is left. Returns what makes room again. */
export function fillDisk(folder: string): () => void {
  const file = join(folder, 'fill')
  const descriptor = openSync(file, 'w')
  const block = Buffer.alloc(64 * 1024)
  for (let bytes = block.length; bytes > 0;) {
    try {
      writeSync(descriptor, block, 0, bytes)
    } catch {
      bytes = Math.floor(bytes / 2)
    }
  }
  closeSync(descriptor)
  return () => rmSync(file)
}
