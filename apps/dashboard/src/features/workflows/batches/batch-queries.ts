import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { BatchLine, BatchRecord, BatchType, CallInput, Routes } from '@gatehouse/contract'
import { call } from '../../../lib/calls/call.ts'
import { callBytes } from '../../../lib/calls/call-bodies.ts'
import { useAction } from '../../../lib/calls/define-resource.ts'
import { isMoving } from './batch-words.ts'

type ListQuery = CallInput<Routes['GET /api/workflows/:slug/batches']>['query']
type LineQuery = CallInput<Routes['GET /api/workflows/:slug/batches/:id/lines']>['query']
export interface BatchPlace {
  slug: string
  id: number
}

/** While something on the screen goes on. */
const refetchMs = 3000

const all = ['batches'] as const

export const batchQueries = {
  list: (slug: string) => (query: ListQuery) =>
    queryOptions({
      queryKey: [...all, 'list', slug, query] as const,
      queryFn: ({ signal }) =>
        call('GET /api/workflows/:slug/batches', { params: { slug }, query, signal }),
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data?.[0].data.some(isMoving) ? refetchMs : false),
    }),
  one: ({ slug, id }: BatchPlace) =>
    queryOptions({
      queryKey: [...all, 'one', slug, id],
      queryFn: async ({ signal }) =>
        (await call('GET /api/workflows/:slug/batches/:id', { params: { slug, id }, signal }))
          .batch,
    }),
  lines: ({ slug, id }: BatchPlace, query: LineQuery, isFollowed: boolean) =>
    queryOptions({
      queryKey: [...all, 'lines', slug, id, query] as const,
      queryFn: async ({ signal }) => {
        const [page] = await call('GET /api/workflows/:slug/batches/:id/lines', {
          params: { slug, id },
          query,
          signal,
        })
        return [{ ...page, data: page.data.map((row) => ({ ...row, id: row.line })) }] as [
          Omit<typeof page, 'data'> & { data: (BatchLine & { id: number })[] },
        ]
      },
      placeholderData: keepPreviousData,
      refetchInterval: isFollowed ? refetchMs : false,
    }),
  /** What a file holds and what is wrong with it. `choice` counts the files that were chosen. */
  check: (slug: string, { file, type, choice }: Upload & { choice: number }) =>
    queryOptions({
      queryKey: ['batch-check', slug, choice],
      queryFn: ({ signal }) =>
        call('POST /api/workflows/:slug/batches/check', {
          params: { slug },
          bodyFile: file,
          headers: { 'Content-Type': type },
          signal,
        }),
      retry: false,
      gcTime: 0,
      staleTime: Infinity,
      refetchOnReconnect: false,
    }),
}

export interface Upload {
  file: File
  type: BatchType
}

interface Sent extends Upload {
  isTest: boolean
  /** The same for every try of the same file, so that no try makes a second batch. */
  key: string
}

export const useStartBatch = (slug: string) =>
  useAction(all, async ({ file, type, isTest, key }: Sent) => {
    const { batch } = await call('POST /api/workflows/:slug/batches', {
      params: { slug },
      query: { test: isTest ? 1 : 0, file_name: file.name.slice(0, 200) },
      bodyFile: file,
      headers: { 'Content-Type': type, 'Idempotency-Key': key },
    })
    return batch
  })

/** What people may do with a batch. Its new state is shown at once. */
export function useBatchActions(place: BatchPlace) {
  const client = useQueryClient()
  const params = { ...place }
  const show = (batch: BatchRecord) => client.setQueryData(batchQueries.one(place).queryKey, batch)
  const pause = useAction(all, async () =>
    show((await call('POST /api/workflows/:slug/batches/:id/pause', { params })).batch),
  )
  const resume = useAction(all, async () =>
    show((await call('POST /api/workflows/:slug/batches/:id/resume', { params })).batch),
  )
  const cancel = useAction(all, async () =>
    show((await call('POST /api/workflows/:slug/batches/:id/cancel', { params })).batch),
  )
  const retry = useAction(all, async () => {
    const { batch, retried } = await call('POST /api/workflows/:slug/batches/:id/retry', { params })
    show(batch)
    return retried
  })
  return { pause, resume, cancel, retry }
}

export const fetchResults = async ({ slug, id }: BatchPlace, format: 'csv' | 'ndjson') =>
  (
    await callBytes('GET /api/workflows/:slug/batches/:id/results', {
      params: { slug, id },
      query: { format },
    })
  ).body
