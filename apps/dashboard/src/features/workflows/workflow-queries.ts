import { queryOptions } from '@tanstack/react-query'
import type { CallInput, Routes } from '@gatehouse/contract'
import type { ChoiceSource } from '../../entities/endpoint/choice-source.tsx'
import { call } from '../../lib/calls/call.ts'
import { callText } from '../../lib/calls/call-bodies.ts'
import { defineResource } from '../../lib/calls/define-resource.ts'

type ListQuery = CallInput<Routes['GET /api/workflows']>['query']

/** What the form sends (spec: workflow-wire). */
export type WorkflowBody = CallInput<Routes['POST /api/workflows']>['body']

/** A definition that is not saved, and what it is looked at with. */
export interface WorkflowSample {
  definition: WorkflowBody
  input: string
  answers: { position: number; status: number | null; body: string }[]
}

const workflows = defineResource('workflows', (query: ListQuery, signal) =>
  call('GET /api/workflows', { query, signal }),
)

/** Definitions keep their numbers exact. What reads them is no part of the list's first load. */
const reader = () => import('./read-workflow.ts')

const fetchOne = async (id: number, signal: AbortSignal) =>
  (await reader()).readWorkflow(
    await callText('GET /api/workflows/:id', { params: { id }, signal }),
  )

/** The lanes; endpoints are searched for. */
const fetchChoices = (signal: AbortSignal) =>
  call('GET /api/workflows/create', { query: { limit: 1 }, signal })

/** Endpoints to choose from: those that are active and that the user has access to. */
export const workflowChoices: ChoiceSource = {
  name: 'workflow',
  load: async (query, signal) =>
    (await call('GET /api/workflows/create', { query, signal })).endpoints,
}

export type WorkflowChoices = Awaited<ReturnType<typeof fetchChoices>>

/** Versions that the page of a workflow shows. */
const versionsShown = 50

export const workflowQueries = {
  list: workflows.list,
  one: (id: number) =>
    queryOptions({
      queryKey: [...workflows.all, 'one', id],
      queryFn: ({ signal }) => fetchOne(id, signal),
    }),
  create: () => workflows.form('new', async (signal) => ({ choices: await fetchChoices(signal) })),
  edit: (id: number) =>
    workflows.form(id, async (signal) => {
      const [workflow, choices] = await Promise.all([fetchOne(id, signal), fetchChoices(signal)])
      return { workflow, choices }
    }),
  versions: (id: number) =>
    queryOptions({
      queryKey: [...workflows.all, 'versions', id],
      queryFn: async ({ signal }) => {
        const query = { page: 1, limit: versionsShown }
        const [page] = await call('GET /api/workflows/:id/versions', {
          params: { id },
          query,
          signal,
        })
        return page
      },
    }),
  version: (id: number, version: number) =>
    queryOptions({
      queryKey: [...workflows.all, 'version', id, version],
      queryFn: async ({ signal }) =>
        (await reader()).readWorkflowVersion(
          await callText('GET /api/workflows/:id/versions/:version', {
            params: { id, version },
            signal,
          }),
        ),
      staleTime: Infinity,
    }),
  /** What each step of a definition would send for an input; nothing is sent. */
  preview: (sample: WorkflowSample) =>
    queryOptions({
      queryKey: ['workflow-preview', sample],
      queryFn: ({ signal }) => call('POST /api/workflows/preview', { body: sample, signal }),
      retry: false,
      gcTime: 30_000,
      staleTime: Infinity,
    }),
}

export const useCreateWorkflow = () =>
  workflows.useSave((body: WorkflowBody) => call('POST /api/workflows', { body }))

export const useUpdateWorkflow = (id: number) =>
  workflows.useSave((body: WorkflowBody) =>
    call('PUT /api/workflows/:id', { params: { id }, body }),
  )

type CallbackBody = CallInput<Routes['PUT /api/workflows/:id/callback']>['body']

/** The answer may hold a new secret: it is in no cache. */
export const useSetCallback = (id: number) =>
  workflows.useAction(
    (body: CallbackBody) => call('PUT /api/workflows/:id/callback', { params: { id }, body }),
    { gcTime: 0 },
  )

export const useTestCallback = () =>
  workflows.useAction((id: number) =>
    call('POST /api/workflows/:id/callback/test', { params: { id } }),
  )

export const useDeleteWorkflow = () =>
  workflows.useAction((id: number) => call('DELETE /api/workflows/:id', { params: { id } }))

/** Saves an earlier version again, in place of the `current` one. */
export const useRestoreVersion = (id: number, current: number) =>
  workflows.useAction((version: number) =>
    call('POST /api/workflows/:id/versions/:version/restore', {
      params: { id, version },
      body: { version: current },
    }),
  )
