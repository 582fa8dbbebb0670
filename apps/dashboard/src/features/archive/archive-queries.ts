import { queryOptions } from '@tanstack/react-query'
import type { CallInput, Routes } from '@gatehouse/contract'
import { call } from '../../lib/calls/call.ts'
import { messageOf } from '../../lib/calls/call-error.ts'
import { defineResource, useAction } from '../../lib/calls/define-resource.ts'
import { notifyError, notifySuccess } from '../../lib/page/notify.tsx'
import { archiveMessages } from './archive-messages.ts'

type FileQuery = CallInput<Routes['GET /api/archive/files']>['query']

const files = defineResource('archive', (query: FileQuery, signal) =>
  call('GET /api/archive/files', { query, signal }),
)

export const fileListKey = [...files.all, 'list']

/** A round that is under way is followed. */
const roundPollMs = 1500

/** What is measured once a day need not be read every few seconds. */
const homeRefreshMs = 300_000

export const archiveQueries = {
  files: files.list,
  /** The same, as the home screen follows it. */
  onHome: () =>
    queryOptions({
      queryKey: [...files.all, 'show'],
      queryFn: ({ signal }) => call('GET /api/archive', { signal }),
      refetchInterval: homeRefreshMs,
    }),
  show: () =>
    queryOptions({
      queryKey: [...files.all, 'show'],
      queryFn: ({ signal }) => call('GET /api/archive', { signal }),
      refetchInterval: ({ state }) => {
        const round = state.data?.round
        return round && (round.phase !== 'idle' || round.is_asked) ? roundPollMs : false
      },
    }),
}

export const useArchiveNow = () =>
  useAction(files.all, () => call('POST /api/archive/round'), {
    onSuccess: () => notifySuccess(archiveMessages.begun),
    onError: (error) => notifyError(archiveMessages.notBegun, messageOf(error)),
  })

export const useCheckFile = () =>
  useAction(
    files.all,
    (id: number) => call('POST /api/archive/files/:id/check', { params: { id } }),
    { onError: (error) => notifyError(archiveMessages.notChecked, messageOf(error)) },
  )

type Settings = CallInput<Routes['PUT /api/archive/settings']>['body']

export function useSaveSettings() {
  const { mutateAsync } = useAction(files.all, (body: Settings) =>
    call('PUT /api/archive/settings', { body }),
  )
  return mutateAsync
}

/** By the number of a run or how a reference begins. */
export const findByName = (search: string, register: string, signal: AbortSignal) =>
  call('GET /api/archive/runs', { query: { search, register }, signal })

export type SearchPlace = { file: number; at: number }

/** Some files, from a place on. */
export const searchFiles = (text: string, from: SearchPlace | null, signal: AbortSignal) =>
  call('GET /api/archive/search', { query: { text, ...from }, signal })
