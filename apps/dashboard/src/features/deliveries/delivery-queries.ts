import { queryOptions } from '@tanstack/react-query'
import type { CallInput, Routes } from '@gatehouse/contract'
import { call } from '../../lib/calls/call.ts'
import { defineResource } from '../../lib/calls/define-resource.ts'

type ListQuery = CallInput<Routes['GET /api/deliveries']>['query']

/** What waits is tried soon. Nothing is fetched while the page is in the background. */
const refreshMs = 5000

const deliveries = defineResource(
  'deliveries',
  (query: ListQuery, signal) => call('GET /api/deliveries', { query, signal }),
  { refetchInterval: () => refreshMs },
)

export const deliveryQueries = {
  list: deliveries.list,
  one: (id: number) =>
    queryOptions({
      queryKey: [...deliveries.all, 'one', id],
      queryFn: async ({ signal }) =>
        (await call('GET /api/deliveries/:id', { params: { id }, signal })).delivery,
      // One that has ended is followed too: another user may send it again.
      refetchInterval: (query) => (query.state.data?.state === 'waiting' ? 2000 : refreshMs),
    }),
}

export const useSendAgain = () =>
  deliveries.useAction((id: number) => call('POST /api/deliveries/:id/send', { params: { id } }))

export const useCancelDelivery = () =>
  deliveries.useAction((id: number) => call('POST /api/deliveries/:id/cancel', { params: { id } }))

export const useSendDead = () =>
  deliveries.useAction((place: string) =>
    call('POST /api/deliveries/send-dead', { body: { place } }),
  )
