import type { RunDetail, RunSummary } from '@gatehouse/contract'
import { call } from '../../lib/call.ts'
import { awaitRun } from '../../entities/run/follow-run.ts'
import { runOf, type RetryBody } from './run-queries.ts'

/**
 * Sends corrected bodies, or the same from the start, as a new run, and resolves as soon as that one
 * has begun. Rejects where the server refuses to begin one. The same key finds the same run.
 */
export async function beginRetry(
  run: RunDetail,
  body: RetryBody,
  key: string,
  onEnd: (run: RunSummary) => void,
): Promise<number> {
  const search = new AbortController()
  const headers = { 'Idempotency-Key': key }
  const ended = runOf(call('POST /api/runs/:id/retry', { params: { id: run.id }, body, headers }))
  const begun = awaitRun(run.kind, key, search.signal)
  void ended.then(onEnd, () => undefined)
  try {
    const first = await Promise.race([ended, begun.then((found) => found ?? ended)])
    return first.id
  } finally {
    search.abort()
  }
}
