import { queryOptions } from '@tanstack/react-query'
import type { CallInput, Routes, SubmittedApi } from '@gatehouse/contract'
import { readSubmittedApi } from '../../../entities/api/submitted-api.ts'
import { call } from '../../../lib/calls/call.ts'
import { useAction } from '../../../lib/calls/define-resource.ts'
import { notifySuccess } from '../../../lib/page/notify.tsx'
import { apiQueries } from '../api-queries.ts'

type DraftInput = CallInput<Routes['PUT /api/apis/:id/draft']>['body']

/** The settings in force, and the draft beside them. */
export interface ApiWithDraft {
  api: SubmittedApi
  draft: {
    settings: SubmittedApi
    tokens: number[]
    version: number
    isOutdated: boolean
    savedAt: string
    savedBy: string
  } | null
}

export const draftQuery = (id: number) =>
  queryOptions({
    queryKey: [...apisKey, 'form', 'draft', id],
    queryFn: async ({ signal }): Promise<ApiWithDraft> => {
      const params = { id }
      const [[record], { draft }] = await Promise.all([
        call('GET /api/apis/:id/edit', { params, signal }),
        call('GET /api/apis/:id/draft', { params, signal }),
      ])
      return { api: readSubmittedApi(record), draft: draft && readDraft(draft) }
    },
    gcTime: 0,
    staleTime: Infinity,
  })

type Answered = NonNullable<Awaited<ReturnType<typeof call<'GET /api/apis/:id/draft'>>>['draft']>

const readDraft = (draft: Answered) => ({
  settings: readSubmittedApi({ id: 0, submitted_data: draft.submitted_data }),
  tokens: draft.draft_tokens,
  version: draft.draft_version,
  isOutdated: draft.is_outdated,
  savedAt: draft.saved_at,
  savedBy: draft.saved_by,
})

const [apisName] = apiQueries.list({ page: 1, limit: 10 }).queryKey
const apisKey = [apisName] as const

export const saveDraft = (id: number, body: DraftInput) =>
  call('PUT /api/apis/:id/draft', { params: { id }, body })

// Said by the action itself: its dialog may be gone with the draft before the answer is dealt with.
export const usePublishDraft = (id: number) =>
  useAction(apisKey, async (draft_version: number) => {
    await call('POST /api/apis/:id/draft/publish', { params: { id }, body: { draft_version } })
    notifySuccess('Draft published successfully!')
  })

export const useDiscardDraft = (id: number) =>
  useAction(apisKey, async () => {
    await call('DELETE /api/apis/:id/draft', { params: { id } })
    notifySuccess('Draft discarded successfully!')
  })
