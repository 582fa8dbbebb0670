import { queryOptions } from '@tanstack/react-query'
import type { AuditEvent } from '@gatehouse/contract'
import { call } from '../../lib/calls/call.ts'
import { auditEvents } from './audit-queries.ts'

/** The newest event of a record that left a version behind: that version is in force. */
export const newestVersionOf = ({ thing, thing_id }: AuditEvent) =>
  queryOptions({
    queryKey: [...auditEvents.all, 'newest version', thing, thing_id],
    queryFn: async ({ signal }) => {
      const query = { thing, thing_id: thing_id ?? 0, outcome: 'done', page: 1, limit: 10 } as const
      const [{ data }] = await call('GET /api/audit', { query, signal })
      return data.find(({ can_restore }) => can_restore) ?? null
    },
  })
