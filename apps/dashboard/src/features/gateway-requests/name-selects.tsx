import { call } from '../../lib/calls/call.ts'
import {
  NamedSelect,
  type NamedSelectProps,
  type NameSource,
} from '../../ui/filters/named-select.tsx'

const shownMax = 50

const users: NameSource = {
  noun: 'user',
  matching: (search) => ({
    queryKey: ['users', 'names', search],
    queryFn: async ({ signal }) => {
      const query = { page: 1, limit: shownMax, sort: 'name', search } as const
      const [answer] = await call('GET /api/user', { query, signal })
      return answer.data.map(({ id, name }) => ({ id, name }))
    },
  }),
  nameOf: (id) => ({
    queryKey: ['users', 'name', id],
    queryFn: async ({ signal }) =>
      (await call('GET /api/user/:id/edit', { params: { id: Number(id) }, signal })).user.name,
  }),
}

const endpoints: NameSource = {
  noun: 'endpoint',
  matching: (search) => ({
    queryKey: ['endpoints', 'names', search],
    queryFn: async ({ signal }) => {
      const query = { page: 1, limit: shownMax, sort: 'path', search } as const
      const [answer] = await call('GET /api/endpoint', { query, signal })
      return answer.data.map(({ id, summery, api }) => ({ id, name: `${summery}, ${api.name}` }))
    },
  }),
  nameOf: (id) => ({
    queryKey: ['endpoints', 'name', id],
    queryFn: async ({ signal }) => {
      const params = { id: Number(id) }
      const [endpoint] = await call('GET /api/endpoint/:id/edit', { params, signal })
      return `${endpoint.summery}, ${endpoint.api.name}`
    },
  }),
}

/** Chooses a user by name. For users who may view users. */
export function UserSelect(props: NamedSelectProps) {
  return <NamedSelect {...props} source={users} />
}

/** Chooses an endpoint by its summery. For users who may view endpoints. */
export function EndpointNameSelect(props: NamedSelectProps) {
  return <NamedSelect {...props} source={endpoints} />
}
