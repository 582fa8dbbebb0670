import { call } from '../../lib/calls/call.ts'
import type { NameSource } from '../../ui/filters/named-select.tsx'

const shownMax = 50
const stateWords = { expired: 'expired', revoked: 'revoked' }

/** Personal tokens by name; one that no longer counts is offered too, and says so. */
export const tokenNames: NameSource = {
  noun: 'token',
  matching: (search) => ({
    queryKey: ['tokens', 'names', search],
    queryFn: async ({ signal }) => {
      const query = { page: 1, limit: shownMax, sort: 'name', search } as const
      const [answer] = await call('GET /api/token', { query, signal })
      return answer.data.map(({ id, name, user, ending, state }) => {
        const label = `${user.name} · ${name} …${ending}`
        return { id, name: state === 'active' ? label : `${label} (${stateWords[state]})` }
      })
    },
  }),
  // One that was chosen is among those that were found before.
  nameOf: (id) => ({
    queryKey: ['tokens', 'name', id],
    queryFn: ({ client }) => {
      const lists = client.getQueriesData<{ id: number; name: string }[]>({
        queryKey: ['tokens', 'names'],
      })
      const found = lists.flatMap(([, list]) => list ?? []).find((each) => String(each.id) === id)
      if (!found) throw new Error(`Token ${id} was not found before.`)
      return found.name
    },
  }),
}
