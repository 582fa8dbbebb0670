import { Group, Text } from '@mantine/core'
import type { AccessRow } from '@gatehouse/contract'
import { superAdminRole } from '@gatehouse/contract/permissions'
import { paths } from '../../entities/paths.ts'
import { useCan, useUser } from '../../lib/session/session.tsx'
import { useIsOutOfReach } from '../../entities/user/protected-users.ts'
import type { Column } from '../../ui/table/data-table.tsx'
import { ActionDialog } from '../../ui/dialog/action-dialog.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { RowActions } from '../../ui/table/row-actions.tsx'
import { accessQueries, useRemoveAccess } from './access-queries.ts'
import { NameLink } from '../../ui/text/name-link.tsx'

type SortColumn = 'id' | 'name' | 'email' | 'role'

const removalTexts = {
  title: 'Take this role away?',
  confirm: 'Take role away',
  done: 'Role taken away successfully!',
}

/** A row for each user and role (spec: api-permission-list, api-access). */
export function AccessListPage() {
  const removal = useRemoveAccess()
  const can = useCan()
  const canEdit = can('api-permission.edit')
  const ownId = useUser().id
  const isOutOfReach = useIsOutOfReach()
  // The server refuses both: users can't change their own roles, or those of a Super Admin.
  const isFixed = (row: AccessRow) => row.user_id === ownId || isOutOfReach([row.role])
  return (
    <ListPage
      id="access"
      title="Users Have API access"
      subtitle="User List"
      caption="User List"
      add={can('user.create') ? { label: 'Add User', to: paths.userCreate } : undefined}
      list={accessQueries.list}
      searchLabel="Search users and roles"
      empty={{ title: 'No user has a role yet' }}
      columns={columns}
      rowKey={(row) => `${row.id}-${row.user_id}`}
      renderActions={(row, ask) => (
        <RowActions
          hasDelete
          name={`${row.role}, ${row.name}`}
          editPath={canEdit ? paths.accessEdit(row.id) : undefined}
          viewPath={paths.accessEdit(row.id)}
          onDelete={canEdit && !isFixed(row) ? ask : undefined}
        />
      )}
      renderDialog={(row, onClose) => (
        <ActionDialog
          row={row}
          texts={removalTexts}
          renderConsequences={(access) => <WhatGoes row={access} />}
          perform={(access) => removal.mutateAsync(access)}
          onClose={onClose}
        />
      )}
    />
  )
}

const columns: Column<AccessRow, SortColumn>[] = [
  { head: '#', sort: 'id', width: '4rem', isMinor: true, cell: (row) => row.id },
  {
    head: 'Name',
    isName: true,
    sort: 'name',
    cell: (row) => <NameLink to={paths.accessEdit(row.id)}>{row.name}</NameLink>,
  },
  { head: 'Email', sort: 'email', cell: (row) => row.email },
  {
    head: 'Role',
    sort: 'role',
    cell: (row) => (
      <Group gap="xs">
        <span>{row.role}</span>
        <Text span size="xs" c="dimmed">
          {accessWords(row)}
        </Text>
      </Group>
    ),
  },
]

/** "2 endpoints", and how many workflows where there are any. */
function accessWords({ role, endpoints_count, workflows_count }: AccessRow): string {
  if (role === superAdminRole) return 'every endpoint and workflow'
  const endpoints = endpoints_count === 1 ? '1 endpoint' : `${endpoints_count} endpoints`
  if (workflows_count === 0) return endpoints
  return `${endpoints} and ${workflows_count === 1 ? '1 workflow' : `${workflows_count} workflows`}`
}

function WhatGoes({ row }: { row: AccessRow }) {
  return (
    <Text size="sm">
      <b>{row.name}</b> ({row.email}) loses the role <b>{row.role}</b>: its permissions and its
      access to {accessWords(row)}, on the next call, also of their tokens. Their sessions end. The
      account stays.
    </Text>
  )
}
