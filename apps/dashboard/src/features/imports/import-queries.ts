import type { CallInput, Routes } from '@gatehouse/contract'
import { call, type Answer } from '../../lib/calls/call.ts'
import { useAction } from '../../lib/calls/define-resource.ts'
import { useMutation } from '../../lib/calls/use-mutation.ts'

export type Preview = Answer<'POST /api/import/preview'>
export type PreviewApi = Preview['apis'][number]
export type Imported = Answer<'POST /api/import'>
export type ImportInput = CallInput<Routes['POST /api/import']>['body']
type PreviewInput = CallInput<Routes['POST /api/import/preview']>['body']

export const usePreviewImport = () =>
  useMutation({ mutationFn: (body: PreviewInput) => call('POST /api/import/preview', { body }) })

/** Everything may show APIs and endpoints: all of it is fetched again. */
export const useImport = () =>
  useAction([], (body: ImportInput) => call('POST /api/import', { body }))
