import { call } from '../../lib/calls/call.ts'
import {
  NamedSelect,
  type NamedSelectProps,
  type NameSource,
} from '../../ui/filters/named-select.tsx'
import { readSubmittedApi } from './submitted-api.ts'

const shownMax = 50

export const apis: NameSource = {
  noun: 'API',
  matching: (search) => ({
    queryKey: ['apis', 'names', search],
    queryFn: async ({ signal }) => {
      const query = { page: 1, limit: shownMax, sort: 'name', search } as const
      const [answer] = await call('GET /api/apis', { query, signal })
      return answer.data.map((row) => ({ id: row.id, name: readSubmittedApi(row).name }))
    },
  }),
  nameOf: (id) => ({
    queryKey: ['apis', 'name', id],
    queryFn: async ({ signal }) => {
      const [record] = await call('GET /api/apis/:id/edit', { params: { id: Number(id) }, signal })
      return readSubmittedApi(record).name
    },
  }),
}

/** Chooses an API by its name. For users who may view APIs. */
export function ApiSelect(props: NamedSelectProps) {
  return <NamedSelect {...props} source={apis} />
}
