import type { CallInput, Routes } from '@gatehouse/contract'
import { call, type Answer } from '../../lib/calls/call.ts'
import { defineResource } from '../../lib/calls/define-resource.ts'

type SearchQuery = CallInput<Routes['GET /api/search']>['query']
export type SearchAnswer = Answer<'GET /api/search'>

const search = defineResource('search', (query: SearchQuery, signal) =>
  call('GET /api/search', { query, signal }),
)

export type TrailAnswer = Answer<'GET /api/search/trail'>

const trail = defineResource('trail', (query: { q: string }, signal) =>
  call('GET /api/search/trail', { query, signal }),
)

export const trailQueries = { list: trail.list }
export const searchQueries = { list: search.list }
