import { statfs } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { NodeState } from '@gatehouse/contract'

/** A disk over the network may never answer. */
const measureMaxMs = 2_000

/** How much room there is in a folder, or null where that can't be measured within 2 s. */
export async function freeSpace(path: string): Promise<NodeState['disk']> {
  const waiting = new AbortController()
  try {
    return await Promise.race([
      measure(path),
      wait(measureMaxMs, null, { signal: waiting.signal, ref: false }),
    ])
  } catch {
    return null
  } finally {
    waiting.abort()
  }
}

async function measure(path: string) {
  const { bavail, blocks, bsize } = await statfs(path)
  return { path, free_bytes: bavail * bsize, total_bytes: blocks * bsize }
}
