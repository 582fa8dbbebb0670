import { queryOptions } from '@tanstack/react-query'
import type { CallInput, Routes } from '@gatehouse/contract'
import { call } from '../../lib/call.ts'

/** Another user may release it. */
const refreshMs = 30_000

export const holdQueries = {
  show: () =>
    queryOptions({
      queryKey: ['installation-hold'],
      queryFn: ({ signal }) => call('GET /api/installation/hold', { signal }),
      refetchInterval: refreshMs,
    }),
  /** What waits. */
  held: () =>
    queryOptions({
      queryKey: ['installation-hold', 'held'],
      queryFn: ({ signal }) => call('GET /api/installation/held', { signal }),
    }),
}

type ReleaseBody = CallInput<Routes['POST /api/installation/release']>['body']

export const releaseHold = (body: ReleaseBody) => call('POST /api/installation/release', { body })
