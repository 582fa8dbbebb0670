import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type {
  AccessDifference,
  AccessRow,
  CallInput,
  explainSubjects,
  Routes,
} from '@gatehouse/contract'
import { call, type Answer } from '../../lib/calls/call.ts'
import { defineResource } from '../../lib/calls/define-resource.ts'
import { shownMax } from './access-choices.ts'

type ListQuery = CallInput<Routes['GET /api/api-permission']>['query']
export type AccessSubject = (typeof explainSubjects)[number]

export type ApisFound = Answer<'GET /api/api-permission/:id/apis'> & { search: string }

/** What is chosen at this moment. Without workflows the role keeps those that it has. */
export interface ChosenAccess {
  difference: AccessDifference
  workflows?: number[]
}

const access = defineResource('access', (query: ListQuery, signal) =>
  call('GET /api/api-permission', { query, signal }),
)

const ofApi = (part: string) => [...access.all, 'api', part] as const

export const accessQueries = {
  rolesOfApi: (id: number, query: CallInput<Routes['GET /api/apis/:id/access/roles']>['query']) =>
    queryOptions({
      queryKey: [...ofApi('roles'), id, query],
      queryFn: ({ signal }) =>
        call('GET /api/apis/:id/access/roles', { params: { id }, query, signal }),
      placeholderData: keepPreviousData,
    }),
  tokensOfApi: (id: number, query: CallInput<Routes['GET /api/apis/:id/access/tokens']>['query']) =>
    queryOptions({
      queryKey: [...ofApi('tokens'), id, query],
      queryFn: ({ signal }) =>
        call('GET /api/apis/:id/access/tokens', { params: { id }, query, signal }),
      placeholderData: keepPreviousData,
    }),
  callableOfApi: (
    id: number,
    query: CallInput<Routes['GET /api/apis/:id/access/endpoints']>['query'],
  ) =>
    queryOptions({
      queryKey: [...ofApi('endpoints'), id, query],
      queryFn: ({ signal }) =>
        call('GET /api/apis/:id/access/endpoints', { params: { id }, query, signal }),
      placeholderData: keepPreviousData,
    }),
  list: access.list,
  edit: (id: number) =>
    access.form(id, (signal) =>
      call('GET /api/api-permission/:id/edit', {
        params: { id },
        query: { endpoints: 'few' },
        signal,
      }),
    ),
  choices: (id: number, search: string) =>
    queryOptions({
      queryKey: [...access.all, 'choices', id, search],
      queryFn: ({ signal }) =>
        call('GET /api/api-permission/:id/endpoints', {
          params: { id },
          query: { search, limit: shownMax },
          signal,
        }),
      placeholderData: keepPreviousData,
    }),
  /** The APIs, with what they were searched for. */
  apis: (id: number, search: string) =>
    queryOptions({
      queryKey: [...access.all, 'apis', id, search],
      queryFn: async ({ signal }) => {
        const query = { search }
        const found = await call('GET /api/api-permission/:id/apis', {
          params: { id },
          query,
          signal,
        })
        return { ...found, search }
      },
      placeholderData: keepPreviousData,
    }),
  /** A page of the endpoints of one API. */
  endpointsOfApi: (
    id: number,
    query: CallInput<Routes['GET /api/api-permission/:id/endpoints']>['query'],
  ) =>
    queryOptions({
      queryKey: [...access.all, 'choices', id, query],
      queryFn: ({ signal }) =>
        call('GET /api/api-permission/:id/endpoints', { params: { id }, query, signal }),
    }),
  /** The access that this choice would add and remove; reads only, although it is a POST. */
  preview: (id: number, chosen: ChosenAccess) =>
    queryOptions({
      queryKey: [...access.all, 'preview', id, chosen],
      queryFn: ({ signal }) =>
        call('POST /api/api-permission/:id/preview', {
          params: { id },
          body: chosen,
          signal,
        }),
      placeholderData: keepPreviousData,
      gcTime: 0,
    }),
  whoCanCall: (endpointId: number) =>
    queryOptions({
      queryKey: [...access.all, 'endpoint', endpointId],
      queryFn: ({ signal }) =>
        call('GET /api/access/endpoint/:id', { params: { id: endpointId }, signal }),
      gcTime: 0,
    }),
  whoCanRun: (workflowId: number) =>
    queryOptions({
      queryKey: [...access.all, 'workflow', workflowId],
      queryFn: ({ signal }) =>
        call('GET /api/access/workflow/:id', { params: { id: workflowId }, signal }),
      gcTime: 0,
    }),
  whatCanBeCalled: (subject: AccessSubject, id: number) =>
    queryOptions({
      queryKey: [...access.all, subject, id],
      queryFn: ({ signal }) =>
        call('GET /api/access/:subject/:id/endpoints', {
          params: { subject, id },
          query: {},
          signal,
        }),
      gcTime: 0,
    }),
}

type AccessInput = CallInput<Routes['PUT /api/api-permission/:id/update']>['body']

export const useUpdateAccess = (id: number) =>
  access.useSave((body: AccessInput) =>
    call('PUT /api/api-permission/:id/update', { params: { id }, body }),
  )

/** From where it is not a form: over any version. */
export const useChangeAccess = (onSuccess: () => void) =>
  access.useAction(
    ({ roleId, ...body }: ChosenAccess & { roleId: number }) =>
      call('PUT /api/api-permission/:id/update', { params: { id: roleId }, body }),
    { onSuccess },
  )

export const useRemoveAccess = () =>
  access.useAction((row: AccessRow) =>
    call('DELETE /api/api-permission/:role/:user', { params: { role: row.id, user: row.user_id } }),
  )
