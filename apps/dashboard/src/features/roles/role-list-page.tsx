import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { RoleListRow } from '@gatehouse/contract'
import { toListQuery, useListParams } from '../../lib/list-params.ts'
import { paths } from '../../lib/paths.ts'
import { useCan } from '../../lib/session.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'
import { ListView } from '../../ui/list-view.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { RowActions } from '../../ui/row-actions.tsx'
import { roleQueries, useDeleteRole } from './role-queries.ts'

const sortColumns = ['id', 'name'] as const
type SortColumn = (typeof sortColumns)[number]

/** Spec §2: the list titled "Endpoint List", whose Edit leads to a role, is this one. */
export function RoleListPage() {
  const params = useListParams(sortColumns)
  const list = useQuery(roleQueries.list(toListQuery(params)))
  const deletion = useDeleteRole()
  const [doomed, setDoomed] = useState<RoleListRow>()
  const can = useCan()
  const addLink = can('role.create') && (
    <Button component={Link} to={paths.roleCreate} leftSection={<IconPlus size={16} />}>
      Add Role
    </Button>
  )
  return (
    <Page title="All Roles" subtitle="Endpoint List" actions={addLink}>
      <ListView
        query={list}
        params={params}
        searchLabel="Search roles"
        empty={<Notice title="No roles yet" />}
      >
        {(rows) => (
          <DataTable
            caption="All Roles"
            columns={[...columns, actionColumn(can, setDoomed)]}
            rows={rows}
            rowKey={(row) => row.id}
            params={params}
          />
        )}
      </ListView>
      <DeleteDialog
        row={doomed}
        noun="role"
        canGo={(role) => role.users_count === 0}
        renderConsequences={(role) =>
          role.users_count === 0 ? <WhatGoes role={role} /> : <Why role={role} />
        }
        remove={(role) => deletion.mutateAsync(role.id)}
        onClose={() => setDoomed(undefined)}
      />
    </Page>
  )
}

const columns: Column<RoleListRow, SortColumn>[] = [
  { head: '#', sort: 'id', width: '4rem', cell: (row) => row.id },
  {
    head: 'Name',
    sort: 'name',
    cell: (row) => (
      <Text size="sm" fw={600}>
        {row.name}
      </Text>
    ),
  },
  { head: 'Permissions', width: '9rem', cell: (row) => row.permissions_count },
  { head: 'Users', width: '9rem', cell: (row) => row.users_count },
]

function actionColumn(
  can: ReturnType<typeof useCan>,
  onDelete: (row: RoleListRow) => void,
): Column<RoleListRow, SortColumn> {
  return {
    head: 'Action',
    width: '9rem',
    cell: (row) => (
      <RowActions
        name={row.name}
        editPath={can('role.edit') ? paths.roleEdit(row.id) : undefined}
        viewPath={paths.roleEdit(row.id)}
        onDelete={can('role.delete') ? () => onDelete(row) : undefined}
      />
    ),
  }
}

function WhatGoes({ role }: { role: RoleListRow }) {
  return (
    <Text size="sm">
      <b>{role.name}</b> will be deleted, with its permissions and its access to endpoints. Nobody
      has it, so nobody loses anything. This cannot be undone.
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
