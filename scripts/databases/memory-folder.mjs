import { statfsSync } from 'node:fs'
import os from 'node:os'

const neededBytes = 2 * 1024 ** 3

/**
 * The folder for what nothing outlives: a file system in memory where Linux has one with 2 GiB free, else
 * the usual temporary folder. A copy of a database there takes 50 ms; on a disk it can take a second.
 */
export function memoryFolder() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize >= neededBytes ? '/dev/shm' : os.tmpdir()
  } catch {
    // Not on Linux.
    return os.tmpdir()
  }
}
