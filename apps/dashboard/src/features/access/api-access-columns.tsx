import { Anchor, Badge, Group, Text } from '@mantine/core'
import type { ApiRole, ApiToken, CallableEndpoint, RoleOption } from '@gatehouse/contract'
import { Link } from 'react-router'
import { MethodBadge } from '../../entities/endpoint/method-badge.tsx'
import { paths } from '../../entities/paths.ts'
import type { Column } from '../../ui/table/data-table.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { endpointName } from './access-choices.ts'

/** The endpoints of an API with the roles that hold them. */
export const callableColumns: Column<CallableEndpoint, 'id' | 'path'>[] = [
  { head: '#', sort: 'id', width: '4rem', isMinor: true, cell: (row) => row.id },
  {
    head: 'Endpoint',
    isName: true,
    sort: 'path',
    width: '45%',
    cell: (row) => (
      <div>
        <Text size="sm" fw={600} lineClamp={2}>
          {endpointName(row)}
        </Text>
        <Group gap={6} wrap="nowrap" align="baseline">
          <MethodBadge method={row.method_type} />
          <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {row.path}
          </Text>
        </Group>
      </div>
    ),
  },
  {
    head: 'Roles',
    cell: ({ roles, roles_count, is_guarded }) => (
      <Group gap={4}>
        {!is_guarded && <Badge color="orange">anyone: no token is asked for</Badge>}
        <Roles roles={roles} />
        {roles_count > roles.length && (
          <Text size="xs" c="dimmed">
            and {roles_count - roles.length} more
          </Text>
        )}
        {is_guarded && roles_count === 0 && (
          <Text size="sm" c="dimmed">
            Super Admin alone
          </Text>
        )}
      </Group>
    ),
  },
]

/** Roles, each leading to where its access is decided. */
function Roles({ roles }: { roles: readonly RoleOption[] }) {
  return roles.map(({ id, name }) => (
    <Badge key={id} component={Link} to={paths.accessEdit(id)} color="blue">
      {name}
    </Badge>
  ))
}

interface CountProps {
  count: number
  /** The filter of the endpoints, `role=4`. */
  filter: string
  apiId: number
}

/** How many endpoints, leading to them. */
const Count = ({ count, filter, apiId }: CountProps) => (
  <Anchor component={Link} to={`${paths.apiPart(apiId, 'access')}?${filter}`} size="sm">
    {count === 1 ? '1 endpoint' : `${count} endpoints`}
  </Anchor>
)

/** The roles that may call an API. */
export const callingRoleColumns = (apiId: number): Column<ApiRole, 'name'>[] => [
  { head: 'Role', sort: 'name', isName: true, cell: (row) => <Roles roles={[row]} /> },
  {
    head: 'May call',
    cell: ({ id, endpoints_count }) => (
      <Count count={endpoints_count} filter={`role=${id}`} apiId={apiId} />
    ),
  },
  { head: 'Users', width: '8rem', isFigure: true, cell: (row) => row.users_count },
  { head: 'Valid tokens', width: '9rem', isFigure: true, cell: (row) => row.tokens_count },
]
/** The personal tokens that may call an API. */
export const callingTokenColumns = (apiId: number): Column<ApiToken, 'name' | 'last_used_at'>[] => [
  {
    head: 'Token',
    isName: true,
    sort: 'name',
    cell: ({ name, user }) => (
      <div>
        <Text size="sm" fw={600} lineClamp={2}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {user.name}
        </Text>
      </div>
    ),
  },
  {
    head: 'Through',
    cell: ({ roles }) => (
      <Group gap={4}>
        <Roles roles={roles} />
      </Group>
    ),
  },
  {
    head: 'May call',
    cell: ({ id, endpoints_count }) => (
      <Count count={endpoints_count} filter={`token=${id}`} apiId={apiId} />
    ),
  },
  {
    head: 'Last used',
    sort: 'last_used_at',
    width: '12rem',
    cell: ({ last_used_at }) =>
      last_used_at === null ? <>never</> : <Moment at={last_used_at} isRelative />,
  },
  { head: 'Expires', width: '9rem', cell: (row) => <Moment at={row.expires_at} isDay /> },
]
