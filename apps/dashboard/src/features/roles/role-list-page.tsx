import { Text } from '@mantine/core'
import type { RoleListRow } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'
import { useUndo } from '../../entities/undo/use-undo.ts'
import { useCan } from '../../lib/session/session.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { DeleteDialog } from '../../ui/dialog/delete-dialog.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { RowActions } from '../../ui/table/row-actions.tsx'
import { roleQueries, useDeleteRole } from './role-queries.ts'
import { NameLink } from '../../ui/text/name-link.tsx'

type SortColumn = 'id' | 'name'

export function RoleListPage() {
  const deletion = useDeleteRole()
  const undo = useUndo('role')
  const can = useCan()
  return (
    <ListPage
      id="roles"
      title="All Roles"
      add={can('role.create') ? { label: 'Add Role', to: paths.roleCreate } : undefined}
      list={roleQueries.list}
      searchLabel="Search roles"
      empty={{ title: 'No roles yet' }}
      columns={columns}
      renderActions={(row, ask) => (
        <RowActions
          name={row.name}
          editPath={can('role.edit') ? paths.roleEdit(row.id) : undefined}
          viewPath={paths.roleEdit(row.id)}
          onDelete={can('role.delete') ? ask : undefined}
        />
      )}
      renderDialog={(row, onClose) => (
        <DeleteDialog
          row={row}
          noun="role"
          canGo={(role) => role.users_count === 0}
          renderConsequences={(role) =>
            role.users_count === 0 ? <WhatGoes role={role} /> : <Why role={role} />
          }
          remove={(role) => deletion.mutateAsync(role.id)}
          undo={(role) => undo([role.id])}
          onClose={onClose}
        />
      )}
    />
  )
}

const columns: Column<RoleListRow, SortColumn>[] = [
  { head: '#', sort: 'id', width: '4rem', isMinor: true, cell: (row) => row.id },
  {
    head: 'Name',
    isName: true,
    sort: 'name',
    cell: (row) => <NameLink to={paths.roleEdit(row.id)}>{row.name}</NameLink>,
  },
  { head: 'Permissions', width: '7rem', isFigure: true, cell: (row) => row.permissions_count },
  { head: 'Users', width: '6rem', isFigure: true, cell: (row) => row.users_count },
]

function WhatGoes({ role }: { role: RoleListRow }) {
  return (
    <Text size="sm">
      <b>{role.name}</b> will be deleted, with its permissions and its access to endpoints. No user
      has it, so no user loses anything. You can undo this for 10 seconds.
    </Text>
  )
}

function Why({ role }: { role: RoleListRow }) {
  const users = role.users_count === 1 ? '1 user has' : `${role.users_count} users have`
  return (
    <Text size="sm">
      {users} the role <b>{role.name}</b>, so it cannot be deleted. Take it from them first.
    </Text>
  )
}
