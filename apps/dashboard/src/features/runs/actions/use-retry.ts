import type { RunDetail, RunSummary } from '@gatehouse/contract'
import { useState } from 'react'
import { awaitRun } from '../../../entities/run/follow-run.ts'
import { runs } from '../../../entities/run/run-queries.ts'
import { paths } from '../../../entities/paths.ts'
import { call } from '../../../lib/calls/call.ts'
import { confirmingHeld } from '../../../lib/forms/held-question.ts'
import { newUuid } from '../../../lib/calls/new-uuid.ts'
import { useNavigateIfHere } from '../../../lib/page/screen-address.ts'
import { runOf, type RetryBody } from './run-actions.ts'
import { notifyRunEnd } from './run-toasts.ts'

/**
 * Begins a new run in the place of an old one, and goes to its screen as soon as there is one. The
 * key stays the same until then, so that a second press never begins a second run.
 */
export function useRetry(run: RunDetail) {
  const refresh = runs.useRefresh()
  const navigate = useNavigateIfHere()
  const [key, setKey] = useState(newUuid)
  const [isBeginning, setIsBeginning] = useState(false)
  const [failure, setFailure] = useState<unknown>()

  async function begin(body: RetryBody) {
    setIsBeginning(true)
    setFailure(undefined)
    try {
      const id = await beginRetry(run, body, key, (ended) => {
        notifyRunEnd(ended)
        void refresh()
      })
      setKey(newUuid())
      void refresh()
      navigate(paths.run(id))
    } catch (error) {
      setFailure(error)
    } finally {
      setIsBeginning(false)
    }
  }
  return { begin, isBeginning, failure, forgetFailure: () => setFailure(undefined) }
}

/**
 * Sends corrected bodies, or the same from the start, as a new run, and resolves as soon as that run
 * has begun. Rejects where the server refuses to begin one. The same key finds the same run.
 */
async function beginRetry(
  run: RunDetail,
  body: RetryBody,
  key: string,
  onEnd: (run: RunSummary) => void,
): Promise<number> {
  const search = new AbortController()
  const headers = { 'Idempotency-Key': key }
  const params = { id: run.id }
  const ended = runOf(
    confirmingHeld((confirmed) =>
      call('POST /api/runs/:id/retry', { params, body: { ...body, ...confirmed }, headers }),
    ),
  )
  const begun = awaitRun(run.kind, key, search.signal)
  void ended.then(onEnd, () => undefined)
  try {
    const first = await Promise.race([ended, begun.then((found) => found ?? ended)])
    return first.id
  } finally {
    search.abort()
  }
}
