import type { RunKind, RunState, RunWork } from '@gatehouse/contract'
import { readDay, toMoments } from '../../../lib/browser/day-range.ts'
import { readRegister } from '../../../entities/document/register-filter.tsx'
import type { RunListQuery } from '../../../entities/run/run-queries.ts'

export const runKinds = [
  'tax',
  'credit',
  'build',
  'general',
  'call',
] as const satisfies readonly RunKind[]
export const runStates = [
  'unknown',
  'running',
  'waits_for_release',
  'queued',
  'pending',
  'succeeded',
  'rejected',
  'partial',
  'blocked',
  'stopped',
  'not_started',
  'cancelled',
] as const satisfies readonly RunState[]

export const runWorks = [
  'open',
  'unclear',
  'overtaken',
  'closed',
] as const satisfies readonly RunWork[]

/** What the history is narrowed down to. Days are the reader's own; blank means any. */
export interface RunFilter {
  kind: RunKind | undefined
  state: RunState | undefined
  /** Whether a user may have to act, or why no one has to. */
  work: RunWork | undefined
  /** `1`: test invoices only, `0`: none of them. */
  test: '0' | '1' | undefined
  from: string
  to: string
  reference: string
  user: string
  /** Id of an endpoint that a step calls; set by links, taken away here. */
  endpoint: string
  /** Id of a workflow. */
  workflow: string
  /** Of the documents that its steps carry. */
  register: string
}

export const filterNames = [
  'kind',
  'state',
  'work',
  'test',
  'from',
  'to',
  'reference',
  'user',
  'endpoint',
  'workflow',
  'register',
] as const

/** Anything in the address that the history can't be narrowed down by is ignored. */
export function readRunFilter(address: URLSearchParams): RunFilter {
  const text = (name: string) => (address.get(name) ?? '').trim().slice(0, 200)
  const id = (name: string) => (/^\d{1,9}$/.test(text(name)) ? text(name) : '')
  return {
    kind: runKinds.find((known) => known === address.get('kind')),
    state: runStates.find((known) => known === address.get('state')),
    work: runWorks.find((known) => known === address.get('work')),
    test: (['0', '1'] as const).find((known) => known === address.get('test')),
    from: readDay(address.get('from')),
    to: readDay(address.get('to')),
    reference: text('reference'),
    user: text('user'),
    endpoint: id('endpoint'),
    workflow: id('workflow'),
    register: readRegister(address),
  }
}

export function isFiltered(filter: RunFilter): boolean {
  return Object.values(filter).some((value) => value !== '' && value !== undefined)
}

/** What the call understands. */
export function toRunQuery({ from, to, ...rest }: RunFilter): RunListQuery {
  const present = Object.entries(rest).filter(([, value]) => value !== '' && value !== undefined)
  return { ...Object.fromEntries(present), ...toMoments(from, to) }
}
