import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { CallInput, Routes } from '@gatehouse/contract'
import { call } from '../../../lib/calls/call.ts'
import { defineResource } from '../../../lib/calls/define-resource.ts'

type ListQuery = CallInput<Routes['GET /api/schedules']>['query']
type FiringQuery = CallInput<Routes['GET /api/schedules/:id/firings']>['query']
export type ScheduleBody = CallInput<Routes['POST /api/schedules']>['body']

/** While the screen is open: moments come and go. */
const refetchMs = 5000
const homeRefreshMs = 30_000

const schedules = defineResource('schedules', (query: ListQuery, signal) =>
  call('GET /api/schedules', { query, signal }),
)

const fetchOne = async (id: number, signal: AbortSignal) =>
  (await call('GET /api/schedules/:id', { params: { id }, signal })).schedule

/** A workflow shows that many of its schedules. */
export const schedulesShown = 50

export const scheduleQueries = {
  ofWorkflow: (workflow: number) => ({
    ...schedules.list({ workflow, limit: schedulesShown }),
    refetchInterval: refetchMs,
  }),
  /** For the home screen: those that start next are among them. */
  next: () => ({
    ...schedules.list({ sort: 'next_run_at', limit: 100 }),
    refetchInterval: homeRefreshMs,
  }),
  one: (id: number) =>
    queryOptions({
      queryKey: [...schedules.all, 'one', id],
      queryFn: ({ signal }) => fetchOne(id, signal),
      refetchInterval: refetchMs,
    }),
  edit: (id: number) => schedules.form(id, (signal) => fetchOne(id, signal)),
  firings: (id: number) => (query: FiringQuery) =>
    queryOptions({
      queryKey: [...schedules.all, 'firings', id, query] as const,
      queryFn: ({ signal }) =>
        call('GET /api/schedules/:id/firings', { params: { id }, query, signal }),
      placeholderData: keepPreviousData,
      refetchInterval: refetchMs,
    }),
}

export const useCreateSchedule = () =>
  schedules.useSave((body: ScheduleBody) => call('POST /api/schedules', { body }))

export const useUpdateSchedule = (id: number) =>
  schedules.useSave((body: ScheduleBody) =>
    call('PUT /api/schedules/:id', { params: { id }, body }),
  )

export function useScheduleActions(id: number) {
  const params = { id }
  return {
    pause: schedules.useAction(() => call('POST /api/schedules/:id/pause', { params })),
    resume: schedules.useAction(() => call('POST /api/schedules/:id/resume', { params })),
    run: schedules.useAction(() => call('POST /api/schedules/:id/run', { params })),
    remove: schedules.useAction(() => call('DELETE /api/schedules/:id', { params })),
  }
}
