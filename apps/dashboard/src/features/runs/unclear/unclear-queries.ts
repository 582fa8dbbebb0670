import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { CallInput, Routes } from '@gatehouse/contract'
import { runs } from '../../../entities/run/run-queries.ts'
import { call } from '../../../lib/calls/call.ts'

export type UnclearQuery = CallInput<Routes['GET /api/runs/unclear']>['query']

const refetchMs = 15_000

/** The work list. Healing goes on meanwhile. */
export const unclearList = (query: UnclearQuery) =>
  queryOptions({
    queryKey: [...runs.all, 'unclear', query] as const,
    queryFn: ({ signal }) => call('GET /api/runs/unclear', { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refetchMs,
  })
