import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

const own = ['own-sessions'] as const

export const sessionQueries = {
  own: () =>
    queryOptions({
      queryKey: own,
      queryFn: async ({ signal }) => (await call('GET /api/sessions', { signal })).sessions,
    }),
}

/** Ends one session, or all but this one. */
export function useEndSessions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (which: number | 'others') =>
      which === 'others'
        ? call('DELETE /api/sessions')
        : call('DELETE /api/sessions/:id', { params: { id: which } }),
    onSettled: () => client.invalidateQueries({ queryKey: own }),
  })
}
