import type { StoredTls } from '@gatehouse/contract'
import { checkTls, mayTakeWork, type CheckedTls } from '@gatehouse/upstream'
import { WorkerLink } from '../../kernel/threads/worker-link.ts'
import type { TlsQuestion } from './tls-worker.ts'

const opener = new WorkerLink<TlsQuestion, CheckedTls>(new URL('tls-worker.ts', import.meta.url), {
  name: 'key-files',
  timeoutMs: 15_000,
  isComputing: true,
  queueMax: 8,
})

/** The result of `checkTls`. A thread opens what is encrypted. Throws a 429 while its queue is full. */
export const checkedTls = async (tls: StoredTls, now: Date): Promise<CheckedTls> =>
  mayTakeWork(tls) ? opener.ask({ tls, now }) : checkTls(tls, now)
