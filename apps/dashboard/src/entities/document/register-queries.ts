import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/calls/call.ts'

/** Among what is fetched again after an API was saved. */
export const registerQueries = {
  list: () =>
    queryOptions({
      queryKey: ['apis', 'registers'],
      queryFn: async ({ signal }) =>
        (await call('GET /api/document-registers', { signal })).registers,
      staleTime: 60_000,
    }),
}
