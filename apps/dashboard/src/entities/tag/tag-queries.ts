import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/calls/call.ts'

/** The kinds of records that have tags. */
export type Tagged = 'apis' | 'endpoints'

const callOf = { apis: 'GET /api/apis/tags', endpoints: 'GET /api/endpoint/tags' } as const

/** The tags in use, by name. */
export const tagsOf = (kind: Tagged) =>
  queryOptions({
    queryKey: [kind, 'tags'] as const,
    queryFn: ({ signal }) => call(callOf[kind], { signal }),
  })
