import { queryOptions } from '@tanstack/react-query'
import type { CallInput, Routes } from '@gatehouse/contract'
import { call } from '../../lib/calls/call.ts'
import { defineResource, useAction } from '../../lib/calls/define-resource.ts'
import { useMutation } from '../../lib/calls/use-mutation.ts'

type AlarmQuery = CallInput<Routes['GET /api/alarms']>['query']
type RuleQuery = CallInput<Routes['GET /api/alarm-rules']>['query']
type ChannelQuery = CallInput<Routes['GET /api/alarm-channels']>['query']
type RuleInput = CallInput<Routes['POST /api/alarm-rules']>['body']
type ChannelInput = CallInput<Routes['POST /api/alarm-channels']>['body']
type Muting = CallInput<Routes['POST /api/alarms/:id/mute']>['body'] & { id: number }

/** The server looks at its rules that often. Nothing is fetched while the page is in the background. */
const refreshMs = 30_000

const alarms = defineResource(
  'alarms',
  (query: AlarmQuery, signal) => call('GET /api/alarms', { query, signal }),
  { refetchInterval: () => refreshMs },
)
const rules = defineResource('alarm-rules', (query: RuleQuery, signal) =>
  call('GET /api/alarm-rules', { query, signal }),
)
const channels = defineResource('alarm-channels', (query: ChannelQuery, signal) =>
  call('GET /api/alarm-channels', { query, signal }),
)

export const alarmQueries = {
  list: alarms.list,
  bell: () =>
    queryOptions({
      queryKey: [...alarms.all, 'bell'],
      queryFn: ({ signal }) => call('GET /api/alarms/bell', { signal }),
      refetchInterval: refreshMs,
      // A change of the screen is no reason to ask again.
      staleTime: refreshMs,
    }),
}

/** What can be done about alarms; lists and the bell are fetched again afterwards. */
export function useAlarmActions() {
  const acknowledge = useAction(alarms.all, (body: { ids: number[]; note: string }) =>
    call('POST /api/alarms/acknowledge', { body }),
  )
  const mute = useAction(alarms.all, ({ id, ...body }: Muting) =>
    call('POST /api/alarms/:id/mute', { params: { id }, body }),
  )
  const unmute = useAction(alarms.all, (id: number) =>
    call('POST /api/alarms/:id/unmute', { params: { id } }),
  )
  return { acknowledge, mute, unmute }
}

export const ruleQueries = {
  list: rules.list,
  create: () => rules.form('new', (signal) => call('GET /api/alarm-rules/create', { signal })),
  edit: (id: number) =>
    rules.form(id, (signal) => call('GET /api/alarm-rules/:id/edit', { params: { id }, signal })),
}

export const useSaveRule = (id?: number) =>
  rules.useSave((body: RuleInput) =>
    id === undefined
      ? call('POST /api/alarm-rules', { body })
      : call('PUT /api/alarm-rules/:id', { params: { id }, body }),
  )
export const useDeleteRule = () =>
  rules.useAction((id: number) => call('DELETE /api/alarm-rules/:id', { params: { id } }))

export const channelQueries = {
  list: channels.list,
  edit: (id: number) =>
    channels.form(id, (signal) =>
      call('GET /api/alarm-channels/:id/edit', { params: { id }, signal }),
    ),
}

export const useSaveChannel = (id?: number) =>
  channels.useSave((body: ChannelInput) =>
    id === undefined
      ? call('POST /api/alarm-channels', { body })
      : call('PUT /api/alarm-channels/:id', { params: { id }, body }),
  )
export const useDeleteChannel = () =>
  channels.useAction((id: number) => call('DELETE /api/alarm-channels/:id', { params: { id } }))
export const useTestChannel = () =>
  channels.useAction((id: number) => call('POST /api/alarm-channels/:id/test', { params: { id } }))

/** With what the form holds, before it is saved. `id`: whose form it is. */
export const useTestUnsaved = (id?: number) =>
  useMutation({
    mutationFn: (body: ChannelInput) =>
      call('POST /api/alarm-channels/test', { query: id === undefined ? {} : { id }, body }),
  })
