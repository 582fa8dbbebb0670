import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/calls/call.ts'

/** As often as servers give a sign of life. */
const refreshMs = 5_000

export const nodeQueries = {
  list: () =>
    queryOptions({
      queryKey: ['nodes'],
      queryFn: ({ signal }) => call('GET /api/nodes', { signal }),
      refetchInterval: refreshMs,
    }),
}
