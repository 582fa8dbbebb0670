import { WorkerLink } from '../../kernel/threads/worker-link.ts'
import type { LogAnswer, LogQuery } from './reading/answer-page.ts'

/** Asks the thread that reads logs for a page; undefined where the file is gone. */
export type LogReader = WorkerLink<LogQuery, LogAnswer | undefined>

export const createLogReader = (): LogReader =>
  new WorkerLink(new URL('reading/log-worker.ts', import.meta.url), {
    name: 'log-reader',
    // Longer than any answer takes: a thread that has not answered by then is stuck.
    timeoutMs: 30_000,
    // A file that is long to read holds up nobody who reads another.
    atOnce: 64,
    queueMax: 64,
    heapMaxMb: 128,
    youngMaxMb: 12,
    // It holds the indexes of what was read.
    idleMs: 15 * 60_000,
  })
