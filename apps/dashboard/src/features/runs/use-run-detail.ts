import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { RunState } from '@gatehouse/contract'
import { followRun } from '../../entities/run/follow-run.ts'
import { runQueries, runs } from '../../entities/run/run-queries.ts'
import { runActionKey } from './actions/run-actions.ts'

/** Until a run that a user has just started is seen to be running. */
const actionPollMs = 500

/** While it waits for its turn, or for a decision that is asked for by itself. */
const waitingPollMs = 3000

const isWaiting = (state: RunState | undefined) => state === 'queued' || state === 'pending'

/** A run with all that is known of it; followed while it goes on. */
export function useRunDetail(id: number) {
  const client = useQueryClient()
  const isInHand = useIsMutating({ mutationKey: runActionKey(id) }) > 0
  const query = useQuery({
    ...runQueries.detail(id),
    refetchInterval: ({ state }) =>
      isInHand ? actionPollMs : isWaiting(state.data?.state) ? waitingPollMs : false,
  })
  const isRunning = query.data?.state === 'running'
  useEffect(() => {
    if (!isRunning) return undefined
    const controller = new AbortController()
    void followRun({
      id,
      signal: controller.signal,
      onRun: (run) =>
        void client.invalidateQueries({
          queryKey: run.state === 'running' ? runQueries.detail(id).queryKey : runs.all,
        }),
      poll: async () => (await client.fetchQuery(runQueries.detail(id))).state,
    })
    return () => controller.abort()
  }, [isRunning, id, client])
  return query
}
