import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followRun } from '../../entities/run/follow-run.ts'
import { runKeys } from '../../entities/run/run-keys.ts'
import { deedKey, runQueries } from './run-queries.ts'

/** Until a run that somebody has just set going is seen to be going. */
const deedPollMs = 500

/** A run with all that is known of it; followed while it goes on. */
export function useRunDetail(id: number) {
  const client = useQueryClient()
  const isInHand = useIsMutating({ mutationKey: deedKey(id) }) > 0
  const query = useQuery({
    ...runQueries.detail(id),
    refetchInterval: isInHand ? deedPollMs : false,
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
          queryKey: run.state === 'running' ? runKeys.detail(id) : runKeys.all,
        }),
      poll: async () => (await client.fetchQuery(runQueries.detail(id))).state,
    })
    return () => controller.abort()
  }, [isRunning, id, client])
  return query
}
