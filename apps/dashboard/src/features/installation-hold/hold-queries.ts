import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/calls/call.ts'

/** Another user may release it. */
const refreshMs = 30_000

export const holdQueries = {
  show: () =>
    queryOptions({
      queryKey: ['installation-hold'],
      queryFn: ({ signal }) => call('GET /api/installation/hold', { signal }),
      refetchInterval: refreshMs,
    }),
}
