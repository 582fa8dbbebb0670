import type { CallInput, Routes } from '@gatehouse/contract'

export type RequestQuery = CallInput<Routes['GET /api/gateway-requests']>['query']

export const requestFilterNames = [
  'from',
  'to',
  'api',
  'endpoint',
  'client',
  'token',
  'status',
  'method',
  'search',
  'slower',
  'server',
] as const
export type RequestFilterName = (typeof requestFilterNames)[number]
/** As the address holds it; blank: any. */
export type RequestFilter = Record<RequestFilterName, string>

export const outcomeChoices = [
  { value: 'answered', label: 'Answered (2xx, 3xx)' },
  { value: 'refused', label: 'Refused (4xx)' },
  { value: 'failed', label: 'Failed (5xx, cut off)' },
  { value: 'noted', label: 'Went through, with a note' },
] as const
const outcomes = new Set<string>(outcomeChoices.map(({ value }) => value))
export const methodChoices = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

export const isStatus = (text: string) => /^(?:0|[1-5]\d\d)$/.test(text)
const isId = (text: string) => /^[1-9]\d{0,8}$/.test(text)
const isMoment = (text: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z$/.test(text) && !Number.isNaN(Date.parse(text))

const isUsable: Record<RequestFilterName, (text: string) => boolean> = {
  from: isMoment,
  to: isMoment,
  api: isId,
  endpoint: isId,
  client: isId,
  token: isId,
  status: (text) => outcomes.has(text) || isStatus(text),
  method: (text) => methodChoices.some((method) => method === text),
  search: (text) => text.length <= 200,
  slower: (text) => /^\d{1,7}$/.test(text),
  server: (text) => /^[\w-]{1,200}$/.test(text),
}

/** Anything in the address that requests can't be narrowed down by is ignored. */
export function readRequestFilter(address: URLSearchParams): RequestFilter {
  const read = (name: RequestFilterName) => {
    const text = (address.get(name) ?? '').trim()
    return [name, isUsable[name](text) ? text : '']
  }
  return Object.fromEntries(requestFilterNames.map(read)) as RequestFilter
}

export const isFiltered = (filter: RequestFilter) =>
  Object.values(filter).some((value) => value !== '')

/** What the call understands: blank ones are left out. */
export const toRequestQuery = (filter: RequestFilter): RequestQuery =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''))

/** A moment as a field for local times shows it: `2026-01-31T10:00:00`. */
export function toLocalField(moment: string): string {
  if (moment === '') return ''
  const at = new Date(moment)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}

/** The moment of a field for local times; blank where it is not whole. */
export function fromLocalField(text: string): string {
  const at = new Date(text)
  return text === '' || Number.isNaN(at.getTime()) ? '' : at.toISOString()
}
