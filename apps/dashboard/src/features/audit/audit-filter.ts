import type { AuditEvent, AuditThing, CallInput, Routes } from '@gatehouse/contract'
import { auditThings } from '@gatehouse/contract/audit-names'
import { readDay, toMoments } from '../../lib/browser/day-range.ts'

export const auditOutcomes = ['done', 'refused'] as const satisfies readonly AuditEvent['outcome'][]

export const auditFilterNames = [
  'actor',
  'action',
  'thing',
  'thing_id',
  'outcome',
  'from',
  'to',
] as const

/** What the trail is narrowed down to. Days are the reader's own, `2026-01-31`; blank means any. */
export interface AuditFilter {
  actor: string
  action: string
  thing: AuditThing | undefined
  thingId: number | undefined
  outcome: AuditEvent['outcome'] | undefined
  from: string
  to: string
}

type AuditQuery = CallInput<Routes['GET /api/audit/export']>['query']

/** Anything in the address that the trail can't be narrowed down by is ignored. */
export function readAuditFilter(address: URLSearchParams): AuditFilter {
  const text = (name: string, maxLength: number) =>
    (address.get(name) ?? '').trim().slice(0, maxLength)
  const thing = auditThings.find((known) => known === address.get('thing'))
  const id = Number(address.get('thing_id'))
  return {
    actor: text('actor', 200),
    action: text('action', 50),
    thing,
    // An id alone says nothing: every kind of thing counts from 1.
    thingId: thing !== undefined && Number.isSafeInteger(id) && id > 0 ? id : undefined,
    outcome: auditOutcomes.find((known) => known === address.get('outcome')),
    from: readDay(address.get('from')),
    to: readDay(address.get('to')),
  }
}

export function isFiltered(filter: AuditFilter): boolean {
  return Object.values(filter).some((value) => value !== '' && value !== undefined)
}

/** What the call understands. */
export function toAuditQuery(filter: AuditFilter): AuditQuery {
  const { actor, action, thing, thingId, outcome, from, to } = filter
  return {
    ...(actor === '' ? {} : { actor }),
    ...(action === '' ? {} : { action }),
    ...(thing === undefined ? {} : { thing }),
    ...(thingId === undefined ? {} : { thing_id: thingId }),
    ...(outcome === undefined ? {} : { outcome }),
    ...toMoments(from, to),
  }
}
