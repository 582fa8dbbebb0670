import { queryOptions } from '@tanstack/react-query'
import type { CallInput, Routes } from '@gatehouse/contract'
import { call } from '../../lib/calls/call.ts'

/** What waits while the installation is held. */
export const heldParts = () =>
  queryOptions({
    queryKey: ['installation-hold', 'held'],
    queryFn: ({ signal }) => call('GET /api/installation/held', { signal }),
  })

type ReleaseBody = CallInput<Routes['POST /api/installation/release']>['body']

export const releaseHold = (body: ReleaseBody) => call('POST /api/installation/release', { body })
