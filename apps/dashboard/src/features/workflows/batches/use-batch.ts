import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { BatchRecord } from '@gatehouse/contract'
import { callStream } from '../../../lib/calls/call-bodies.ts'
import { followEvents } from '../../../lib/calls/follow-events.ts'
import { batchQueries, type BatchPlace } from './batch-queries.ts'
import { isMoving } from './batch-words.ts'

/** A batch with its progress, followed by events while its rows go on. */
export function useBatch({ slug, id }: BatchPlace) {
  const client = useQueryClient()
  const query = useQuery(batchQueries.one({ slug, id }))
  const isFollowed = query.data !== undefined && isMoving(query.data)
  useEffect(() => {
    if (!isFollowed) return undefined
    const controller = new AbortController()
    const one = batchQueries.one({ slug, id })
    void followEvents({
      signal: controller.signal,
      open: (signal) =>
        callStream('GET /api/workflows/:slug/batches/:id/events', {
          params: { slug, id },
          signal,
          headers: { Accept: 'text/event-stream' },
        }),
      read: ({ event, data }) =>
        event === 'batch' ? (JSON.parse(data) as BatchRecord) : undefined,
      onState: (batch) => client.setQueryData(one.queryKey, batch),
      isOver: (batch) => !isMoving(batch),
      poll: async () => !isMoving(await client.fetchQuery({ ...one, staleTime: 0 })),
    }).then(() =>
      // The last rows and the list of batches are not fetched again otherwise.
      controller.signal.aborted ? undefined : client.invalidateQueries({ queryKey: ['batches'] }),
    )
    return () => controller.abort()
  }, [isFollowed, slug, id, client])
  return query
}
