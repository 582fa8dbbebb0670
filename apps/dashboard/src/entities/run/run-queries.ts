import { queryOptions } from '@tanstack/react-query'
import type { CallInput, Routes, RunKind, RunState } from '@gatehouse/contract'
import { call } from '../../lib/calls/call.ts'
import { defineResource } from '../../lib/calls/define-resource.ts'
import { findRun } from './follow-run.ts'

export type RunListQuery = CallInput<Routes['GET /api/runs']>['query']

/** An outcome stays unknown for minutes at least, so it is enough to look now and then. */
const unknownRefetchMs = 60_000

/** While a run of the list goes on, or waits for its turn or for a decision. */
const runningRefetchMs = 2000
const movingStates: ReadonlySet<RunState> = new Set(['running', 'queued', 'pending'])

/** A change of one run invalidates everything that is cached of runs. */
export const runs = defineResource(
  'runs',
  (query: RunListQuery, signal) => call('GET /api/runs', { query, signal }),
  {
    refetchInterval: ({ state }) =>
      state.data?.[0].data.some(({ state }) => movingStates.has(state)) ? runningRefetchMs : false,
  },
)

export const runQueries = {
  list: runs.list,
  detail: (id: number) =>
    queryOptions({
      queryKey: [...runs.all, 'detail', id],
      queryFn: ({ signal }) => call('GET /api/runs/:id', { params: { id }, query: {}, signal }),
    }),
  /** With the bodies and answers that are in the archive. */
  readBack: (id: number) =>
    queryOptions({
      queryKey: [...runs.all, 'read-back', id],
      queryFn: ({ signal }) =>
        call('GET /api/runs/:id', { params: { id }, query: { archived: true }, signal }),
      retry: false,
    }),
  /** What a run that waits for its release would send. */
  release: (id: number) =>
    queryOptions({
      queryKey: [...runs.all, 'release', id],
      queryFn: ({ signal }) => call('GET /api/runs/:id/release', { params: { id }, signal }),
      retry: false,
    }),
  unknown: () =>
    queryOptions({
      queryKey: [...runs.all, 'unknown'],
      queryFn: ({ signal }) => call('GET /api/runs/unknown', { signal }),
      refetchInterval: unknownRefetchMs,
    }),
  /** The user's run with this Idempotency-Key, or null; the code that follows a run writes it here. */
  byKey: (kind: RunKind, key: string) =>
    queryOptions({
      queryKey: [...runs.all, 'by-key', kind, key],
      queryFn: async ({ signal }) => (await findRun(kind, key, signal)) ?? null,
      staleTime: Infinity,
    }),
}
