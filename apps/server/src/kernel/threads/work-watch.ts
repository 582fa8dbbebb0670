import type { Worker } from 'node:worker_threads'

interface WatchedWork {
  worker: Worker
  /** CPU time of the thread when it began, in ms. */
  cpuMsBefore: number
  limitMs: number
  /** See `ThreadOptions`. */
  isComputing: boolean
  onOver: () => void
}

/** On a busy machine computing may take that many times longer than its CPU time. */
const clockFactor = 10
/** Looks are at least this far apart. */
const lookMinMs = 20

/** Calls `onOver` once a thread has worked for longer than it may. Returns what ends the watch. */
export function watchWork(work: WatchedWork): () => void {
  const { worker, limitMs, isComputing, onOver } = work
  // Node before 24.6 does not report the CPU time of a thread.
  if (!isComputing || !('cpuUsage' in worker)) {
    const timer = setTimeout(onOver, limitMs)
    return () => clearTimeout(timer)
  }
  // A thread inside of a native call says nothing about its time until that call has ended.
  const last = setTimeout(onOver, limitMs * clockFactor)
  let next = setTimeout(look, limitMs)
  let isOver = false
  function look() {
    void leftMs(work).then((left) => {
      if (isOver || left === undefined) return
      if (left <= 0) onOver()
      else next = setTimeout(look, Math.max(left, lookMinMs))
    })
  }
  return () => {
    isOver = true
    clearTimeout(last)
    clearTimeout(next)
  }
}

/** CPU time that the work may still take; undefined where the thread has ended meanwhile. */
async function leftMs({ worker, cpuMsBefore, limitMs }: WatchedWork): Promise<number | undefined> {
  const usage = await worker.cpuUsage().catch(() => undefined)
  return usage && limitMs - ((usage.user + usage.system) / 1000 - cpuMsBefore)
}
