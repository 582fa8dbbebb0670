import type { CallInput, Routes } from '@gatehouse/contract'
import { call, type Answer } from '../../lib/calls/call.ts'
import { callFile } from '../../lib/calls/call-bodies.ts'
import { useAction } from '../../lib/calls/define-resource.ts'
import { useMutation } from '../../lib/calls/use-mutation.ts'

export type ConfigurationDiff = Answer<'POST /api/configuration/diff'>
export type ConfigurationResults = Answer<'POST /api/configuration/apply'>['results']
type ConfigurationInput = CallInput<Routes['POST /api/configuration/diff']>['body']

export const useExport = () =>
  useMutation({
    mutationFn: () => callFile('GET /api/configuration', 'application/yaml; charset=utf-8'),
  })

export const useDiff = () =>
  useMutation({
    mutationFn: (body: ConfigurationInput) => call('POST /api/configuration/diff', { body }),
  })

/** It may change everything: all of it is fetched again. */
export const useApply = () =>
  useAction([], (body: ConfigurationInput) => call('POST /api/configuration/apply', { body }))
