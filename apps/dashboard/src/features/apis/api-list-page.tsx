import { Badge, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { ApiListRow, SubmittedApi } from '@gatehouse/contract'
import { toListQuery, useListParams } from '../../lib/list-params.ts'
import { paths } from '../../lib/paths.ts'
import { useCan } from '../../lib/session.tsx'
import { readSubmittedApi } from '../../lib/submitted-api.ts'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { ListView } from '../../ui/list-view.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { RowActions } from '../../ui/row-actions.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { ApiDeleteDialog } from './api-delete-dialog.tsx'
import { apiQueries } from './api-queries.ts'

const sortColumns = ['id', 'name', 'gateway_status', 'api_protocol', 'api_url'] as const
type SortColumn = (typeof sortColumns)[number]

/** Spec §2 "API list": columns, buttons and pagination. */
export function ApiListPage() {
  const params = useListParams(sortColumns)
  const list = useQuery(apiQueries.list(toListQuery(params)))
  const [doomed, setDoomed] = useState<ApiListRow>()
  const can = useCan()
  const addButton = can('api.create') && (
    <Button component={Link} to={paths.apiCreate} leftSection={<IconPlus size={16} />}>
      Add Api
    </Button>
  )
  return (
    <Page title="Apis List" actions={addButton}>
      <ListView
        query={list}
        params={params}
        searchLabel="Search APIs"
        empty={
          <Notice title="No APIs yet">
            <Text size="sm" c="dimmed" maw={420}>
              An API is a system that Gatehouse may call. Register one, then define endpoints on it.
            </Text>
          </Notice>
        }
      >
        {(rows) => (
          <DataTable
            caption="Apis List"
            columns={[...columns, actionColumn(can, setDoomed)]}
            rows={rows}
            rowKey={(row) => row.id}
            params={params}
          />
        )}
      </ListView>
      <ApiDeleteDialog row={doomed} onClose={() => setDoomed(undefined)} />
    </Page>
  )
}

const columns: Column<ApiListRow, SortColumn>[] = [
  { head: '#', sort: 'id', width: '4rem', cell: (row) => row.id },
  {
    head: 'Name',
    sort: 'name',
    cell: (row) => {
      const { name, gateway_status } = readSubmittedApi(row)
      return (
        <Group gap="xs" wrap="nowrap">
          {/* The spec's Name is the gateway status; the name stands beside it (decisions). */}
          <StatusBadge status={gateway_status} />
          <Text size="sm" fw={600}>
            {name}
          </Text>
        </Group>
      )
    },
  },
  {
    head: 'Type',
    sort: 'api_protocol',
    width: '11rem',
    cell: (row) => (
      <Badge color="gray" ff="monospace">
        {readSubmittedApi(row).api_protocol}
      </Badge>
    ),
  },
  { head: 'API URL', sort: 'api_url', cell: (row) => <Address api={readSubmittedApi(row)} /> },
]

/** A stored procedure has no URL: its database stands in for one. */
function Address({ api }: { api: SubmittedApi }) {
  if (api.api_protocol === 'http') return api.api_url
  return (
    <Text size="sm" c="dimmed">
      {`${api.driver}: ${api.host}:${api.port ?? ''} / ${api.database}`}
    </Text>
  )
}

function actionColumn(
  can: ReturnType<typeof useCan>,
  onDelete: (row: ApiListRow) => void,
): Column<ApiListRow, SortColumn> {
  return {
    head: 'Action',
    width: '9rem',
    cell: (row) => (
      <RowActions
        name={readSubmittedApi(row).name}
        editPath={can('api.edit') ? paths.apiEdit(row.id) : undefined}
        onDelete={can('api.delete') ? () => onDelete(row) : undefined}
      />
    ),
  }
}
