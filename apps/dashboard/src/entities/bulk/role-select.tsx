import { call } from '../../lib/calls/call.ts'
import {
  NamedSelect,
  type NamedSelectProps,
  type NameSource,
} from '../../ui/filters/named-select.tsx'

const shownMax = 50

const roles: NameSource = {
  noun: 'role',
  matching: (search) => ({
    queryKey: ['roles', 'names', search],
    queryFn: async ({ signal }) => {
      const query = { page: 1, limit: shownMax, sort: 'name', search } as const
      return (await call('GET /api/role', { query, signal }))[0].data
    },
  }),
  nameOf: (id) => ({
    queryKey: ['roles', 'name', id],
    queryFn: async ({ signal }) =>
      (await call('GET /api/role/:id/edit', { params: { id: Number(id) }, signal })).role.name,
  }),
}

/** Chooses a role by its name. For users who may view roles. */
export function RoleSelect(props: NamedSelectProps) {
  return <NamedSelect {...props} source={roles} />
}
