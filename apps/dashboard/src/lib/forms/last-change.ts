import { useQuery } from '@tanstack/react-query'
import type { AuditThing } from '@gatehouse/contract'
import { call } from '../calls/call.ts'
import { useCan } from '../session/session.tsx'

/** A record as the audit trail names it. */
export interface ChangedThing {
  thing: AuditThing
  id: number
}

/** Who has changed a record last, and when; undefined for those who may not see the audit trail. */
export function useLastChange(of: ChangedThing | undefined) {
  const isAllowed = useCan()('audit.view')
  const { data } = useQuery({
    queryKey: ['audit', 'newest', of],
    queryFn: async ({ signal }) => {
      const thing = { thing: of?.thing, thing_id: of?.id }
      const query = { ...thing, outcome: 'done', page: 1, limit: 10 } as const
      const [{ data }] = await call('GET /api/audit', { query, signal })
      return data.find(({ after }) => after !== null) ?? null
    },
    enabled: isAllowed && of !== undefined,
    gcTime: 0,
  })
  return data ?? undefined
}
