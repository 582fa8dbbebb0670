import { statfs } from 'node:fs/promises'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { NodeState } from '@gatehouse/contract'

/** A disk over the network may never answer. */
const measureMaxMs = 2_000

/** How much room there is in a folder, or null where that can't be measured within `maxMs`. */
export async function freeSpace(path: string, maxMs = measureMaxMs): Promise<NodeState['disk']> {
  const waiting = new AbortController()
  try {
    return await Promise.race([measure(path), giveUp(maxMs, waiting.signal)])
  } catch {
    return null
  } finally {
    waiting.abort()
  }
}

/** Below this a disk counts as full: SQLite and logs grow by more in a moment. */
const fullBytes = 256 * 1024
/** How long a question about the health of this server waits for its disk. */
const hurriedMs = 500

/** Whether the disk of a folder has no room, as far as that can be measured soon. */
export async function isFull(path: string): Promise<boolean> {
  const disk = await freeSpace(path, hurriedMs)
  return disk !== null && disk.total_bytes > 0 && disk.free_bytes < fullBytes
}

/** A process that was busy or stopped for so long looks once more for an answer that is there. */
async function giveUp(maxMs: number, signal: AbortSignal): Promise<null> {
  await wait(maxMs, undefined, { signal, ref: false })
  return nextTurn(null)
}

async function measure(path: string) {
  const { bavail, blocks, bsize } = await statfs(path)
  return { path, free_bytes: bavail * bsize, total_bytes: blocks * bsize }
}
