import { queryOptions } from '@tanstack/react-query'
import type { CallInput, Routes } from '@gatehouse/contract'
import { call } from '../../lib/calls/call.ts'
import { callFile } from '../../lib/calls/call-bodies.ts'
import { defineResource } from '../../lib/calls/define-resource.ts'

type ListQuery = CallInput<Routes['GET /api/documents']>['query']

const documents = defineResource('documents', (query: ListQuery, signal) =>
  call('GET /api/documents', { query, signal }),
)

export const documentQueries = {
  list: documents.list,
  one: (id: number) =>
    queryOptions({
      queryKey: [...documents.all, 'one', id],
      queryFn: ({ signal }) => call('GET /api/documents/:id', { params: { id }, signal }),
      // What is under way is over soon.
      refetchInterval: (query) => (query.state.data?.state === 'sending' ? 2000 : false),
    }),
  /** The QR code of a text as PNG. The same text is always the same image. */
  qr: (text: string) =>
    queryOptions({
      queryKey: [...documents.all, 'qr', text],
      queryFn: ({ signal }) =>
        callFile('POST /api/post/image', 'image/png', {
          body: { base64: text, width: '', height: '', isQrCode: true },
          signal,
        }),
      staleTime: Infinity,
      retry: false,
    }),
}
