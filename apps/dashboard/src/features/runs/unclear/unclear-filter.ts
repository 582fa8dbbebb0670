import type { UnclearState } from '@gatehouse/contract'
import type { UnclearQuery } from './unclear-queries.ts'

export const unclearStates = [
  'unknown',
  'blocked',
  'stopped',
  'not_started',
] as const satisfies readonly UnclearState[]

/** What the work list is narrowed down by; blank means any. */
export interface UnclearFilter {
  state: UnclearState | undefined
  /** `1`: healing still looks after it, `0`: a person decides. */
  healing: '0' | '1' | undefined
  test: '0' | '1' | undefined
  reference: string
  /** Id of a workflow. */
  workflow: string
  /** Id of an endpoint that a step calls; set by links. */
  endpoint: string
}

export const filterNames = [
  'state',
  'healing',
  'test',
  'reference',
  'workflow',
  'endpoint',
] as const

const either = ['0', '1'] as const

/** Anything else in the address is ignored. */
export function readUnclearFilter(address: URLSearchParams): UnclearFilter {
  const id = (name: string) => {
    const given = address.get(name) ?? ''
    return /^\d{1,9}$/.test(given) ? given : ''
  }
  return {
    state: unclearStates.find((known) => known === address.get('state')),
    healing: either.find((known) => known === address.get('healing')),
    test: either.find((known) => known === address.get('test')),
    reference: (address.get('reference') ?? '').trim().slice(0, 200),
    workflow: id('workflow'),
    endpoint: id('endpoint'),
  }
}

/** What is set of it, as the calls understand it. */
export const toUnclearQuery = (filter: UnclearFilter): UnclearQuery =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== '' && value))

export const isFiltered = (filter: UnclearFilter) => Object.values(filter).some(Boolean)
