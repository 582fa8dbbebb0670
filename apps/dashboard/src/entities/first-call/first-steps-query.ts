import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/calls/call.ts'

/** For users with `api.create`. */
export const firstStepsQuery = queryOptions({
  queryKey: ['first-steps'],
  queryFn: ({ signal }) => call('GET /api/first-steps', { signal }),
})
