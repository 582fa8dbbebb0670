import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { TrafficRange } from '@gatehouse/contract'
import { call } from '../../lib/calls/call.ts'

/** Figures come in every few seconds; a chart of an hour need not be fresher than this. */
const refreshMs = 15_000

export const trafficQueries = {
  /** Of one API, or of all. */
  show: (range: TrafficRange, api_id?: number) =>
    queryOptions({
      queryKey: ['traffic', range, api_id ?? 'all'],
      queryFn: ({ signal }) =>
        call('GET /api/traffic', {
          query: api_id === undefined ? { range } : { range, api_id },
          signal,
        }),
      placeholderData: keepPreviousData,
      refetchInterval: refreshMs,
    }),
  gateway: () =>
    queryOptions({
      queryKey: ['gateway'],
      queryFn: ({ signal }) => call('GET /api/gateway', { signal }),
      refetchInterval: refreshMs,
    }),
}
