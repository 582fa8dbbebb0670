import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { CallInput, Routes, RunSummary } from '@gatehouse/contract'
import { call } from '../../lib/call.ts'
import { endedRunOf } from '../../entities/run/read-run.ts'
import { runKeys } from '../../entities/run/run-keys.ts'

export type RunListQuery = CallInput<Routes['GET /api/runs']>['query']
export type RetryBody = CallInput<Routes['POST /api/runs/:id/retry']>['body']
type ResumeBody = CallInput<Routes['POST /api/runs/:id/resume']>['body']
type CloseBody = CallInput<Routes['POST /api/runs/:id/close']>['body']
type ResolveBody = CallInput<Routes['POST /api/runs/:id/resolve']>['body']

/** A quiet look now and then: what is unknown stays so for minutes at least. */
const unknownRefetchMs = 60_000

/** Where a run of the list is going on. */
const runningRefetchMs = 2000

export const runQueries = {
  list: (query: RunListQuery) =>
    queryOptions({
      queryKey: runKeys.list(query),
      queryFn: ({ signal }) => call('GET /api/runs', { query, signal }),
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) =>
        state.data?.[0].data.some(({ state }) => state === 'running') ? runningRefetchMs : false,
    }),
  detail: (id: number) =>
    queryOptions({
      queryKey: runKeys.detail(id),
      queryFn: ({ signal }) => call('GET /api/runs/:id', { params: { id }, signal }),
    }),
  unknown: () =>
    queryOptions({
      queryKey: runKeys.unknown,
      queryFn: ({ signal }) => call('GET /api/runs/unknown', { signal }),
      refetchInterval: unknownRefetchMs,
    }),
}

/** Calls under way on one run: while there are any, the run is looked at again and again. */
export const deedKey = (id: number) => ['run-deed', id] as const

/** The run that came of a call, whether it ended well (200) or not (502, 504). */
export async function runOf(answer: Promise<{ run: RunSummary }>): Promise<RunSummary> {
  try {
    return (await answer).run
  } catch (error) {
    const run = endedRunOf(error)
    if (run) return run
    throw error
  }
}

/** What a person does about a run. All resolve with the run as it is then. */
export function useRunDeeds(id: number) {
  const client = useQueryClient()
  const options = {
    mutationKey: deedKey(id),
    onSettled: () => client.invalidateQueries({ queryKey: runKeys.all }),
  }
  const params = { id }
  const resume = useMutation({
    ...options,
    mutationFn: (body: ResumeBody) => runOf(call('POST /api/runs/:id/resume', { params, body })),
  })
  const resolve = useMutation({
    ...options,
    mutationFn: (body: ResolveBody) => runOf(call('POST /api/runs/:id/resolve', { params, body })),
  })
  const close = useMutation({
    ...options,
    mutationFn: (body: CloseBody) => call('POST /api/runs/:id/close', { params, body }),
  })
  const ask = useMutation({
    ...options,
    mutationFn: (body: { step: number; token: string }) =>
      call('POST /api/runs/:id/status-query', { params, body }),
  })
  return {
    resume: resume.mutateAsync,
    resolve: resolve.mutateAsync,
    close: close.mutateAsync,
    ask: ask.mutateAsync,
  }
}
