import { queryOptions } from '@tanstack/react-query'
import type { CallInput, Routes } from '@gatehouse/contract'
import { call, type Answer } from '../../../lib/calls/call.ts'
import { useAction } from '../../../lib/calls/define-resource.ts'

export type HookBody = CallInput<Routes['POST /api/workflows/:id/hooks']>['body']
type SavedHook = Answer<'POST /api/workflows/:id/hooks'>

const keyOf = (workflowId: number) => ['hooks', workflowId] as const

export const hookQueries = {
  list: (workflowId: number) =>
    queryOptions({
      queryKey: keyOf(workflowId),
      queryFn: async ({ signal }) =>
        (await call('GET /api/workflows/:id/hooks', { params: { id: workflowId }, signal })).hooks,
    }),
}

/** Saves a hook, or a new one without an id. The answer may hold a secret: it is in no cache. */
export const useSaveHook = (workflowId: number) =>
  useAction(
    keyOf(workflowId),
    ({ id, body }: { id: number | undefined; body: HookBody }): Promise<SavedHook> =>
      id === undefined
        ? call('POST /api/workflows/:id/hooks', { params: { id: workflowId }, body })
        : call('PUT /api/hooks/:id', { params: { id }, body }),
    { gcTime: 0 },
  )

export const useDeleteHook = (workflowId: number) =>
  useAction(keyOf(workflowId), (id: number) => call('DELETE /api/hooks/:id', { params: { id } }))
