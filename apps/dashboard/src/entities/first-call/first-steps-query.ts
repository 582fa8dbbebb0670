import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

/** For users with `api.create`. */
export const firstStepsQuery = queryOptions({
  queryKey: ['first-steps'],
  queryFn: ({ signal }) => call('GET /api/first-steps', { signal }),
})
