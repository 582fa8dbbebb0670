import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/calls/call.ts'
import { useAction } from '../../lib/calls/define-resource.ts'

const all = ['lanes'] as const

/** A queue moves all the time. Nothing is fetched while the page is in the background. */
const refreshMs = 3000
const homeRefreshMs = 30_000

export const laneQueries = {
  list: () =>
    queryOptions({
      queryKey: all,
      queryFn: async ({ signal }) => (await call('GET /api/lanes', { signal })).lanes,
      refetchInterval: refreshMs,
    }),
}

/** The same on the home screen, where a glance is enough. */
export const homeLanes = () => ({ ...laneQueries.list(), refetchInterval: homeRefreshMs })

interface Pausing {
  id: number
  reason: string
}

/** What can be done to a lane; every lane is fetched again afterwards. */
export function useLaneActions() {
  const pause = useAction(all, ({ id, reason }: Pausing) =>
    call('POST /api/lanes/:id/pause', { params: { id }, body: { reason } }),
  )
  const resume = useAction(all, (id: number) =>
    call('POST /api/lanes/:id/resume', { params: { id } }),
  )
  const drain = useAction(all, (id: number) =>
    call('POST /api/lanes/:id/drain', { params: { id } }),
  )
  return { pause, resume, drain }
}
