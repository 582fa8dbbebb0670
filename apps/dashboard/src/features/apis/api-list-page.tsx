import { Badge, Button, Group, Text } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import type { ApiListRow, SubmittedApi } from '@gatehouse/contract'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { BulkBar } from '../../entities/bulk/bulk-bar.tsx'
import { verbsFor } from '../../entities/bulk/bulk-words.ts'
import { TagChips } from '../../entities/tag/tag-chips.tsx'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { useCan } from '../../lib/session/session.tsx'
import { useAddressFilter } from '../../lib/page/use-address-filter.ts'
import { readSubmittedApi } from '../../entities/api/submitted-api.ts'
import type { Column } from '../../ui/table/data-table.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { RowActions } from '../../ui/table/row-actions.tsx'
import { StatusBadge } from '../../entities/api/status-badge.tsx'
import { ApiFilters, apiFilterNames, apiTerms, readApiFilter, toApiQuery } from './api-filters.tsx'
import { ApiDeleteDialog } from './api-delete-dialog.tsx'
import { apiQueries } from './api-queries.ts'
import { databaseOf } from './procedures/database-of.ts'
import { SignInBadges } from './sign-in/sign-in-badges.tsx'
import { NameLink } from '../../ui/text/name-link.tsx'

// Few APIs have one, and their hints come with all that places a dropdown.
const DriftBadge = lazyPart(async () => (await import('./procedures/drift-badge.tsx')).DriftBadge)
const FaultBadge = lazyPart(async () => (await import('./fault-badge.tsx')).FaultBadge)

type SortColumn = 'id' | 'name' | 'gateway_status' | 'api_protocol' | 'api_url'

/** Columns, buttons and pagination (spec: api-list). */
export function ApiListPage() {
  const can = useCan()
  const { filter, setFilter } = useAddressFilter(apiFilterNames, readApiFilter)
  return (
    <ListPage
      id="apis"
      title="Apis List"
      add={can('api.create') ? { label: 'Add Api', to: paths.apiCreate } : undefined}
      actions={
        <>
          <Button component={Link} to={paths.configuration} variant="default">
            Configuration
          </Button>
          {can('endpoint.create') && (
            <Button
              component={Link}
              to={paths.apiImport}
              variant="default"
              leftSection={<IconFileImport size={16} aria-hidden />}
            >
              Paste or import
            </Button>
          )}
        </>
      }
      list={(query) => apiQueries.list({ ...query, ...toApiQuery(filter) })}
      searchLabel="Search APIs"
      filters={{
        fields: <ApiFilters filter={filter} setFilter={setFilter} />,
        areSet: Object.keys(filter).length > 0,
        terms: apiTerms,
      }}
      empty={{
        title: 'No APIs yet',
        hint: 'An API is a system that Gatehouse may call. Register one, then define endpoints on it.',
      }}
      columns={columns}
      bulk={
        verbsFor('apis', can).length > 0
          ? {
              nameOf,
              canTakeAll: true,
              renderBar: (rows, show, all) => (
                <BulkBar
                  kind="apis"
                  show={show}
                  target={
                    all
                      ? { filter: { search: all.search, ...toApiQuery(filter) }, total: all.total }
                      : { rows: rows.map((row) => ({ id: row.id, name: nameOf(row) })) }
                  }
                />
              ),
            }
          : undefined
      }
      renderActions={(row, ask) => (
        <RowActions
          hasDelete
          name={nameOf(row)}
          editPath={can('api.edit') ? paths.apiEdit(row.id) : undefined}
          onDelete={can('api.delete') ? ask : undefined}
        />
      )}
      renderDialog={(row, onClose) => <ApiDeleteDialog row={row} onClose={onClose} />}
    />
  )
}

const nameOf = (row: ApiListRow) => readSubmittedApi(row).name

const columns: Column<ApiListRow, SortColumn>[] = [
  { head: '#', sort: 'id', width: '4rem', isMinor: true, cell: (row) => row.id },
  {
    head: 'Name',
    isName: true,
    sort: 'name',
    cell: (row) => {
      const api = readSubmittedApi(row)
      return (
        <Group gap="xs">
          {/* The spec's Name is the gateway status; the name is beside it (spec: oddities). */}
          <Group gap="xs" wrap="nowrap">
            <StatusBadge status={api.gateway_status} />
            <NameLink to={paths.api(row.id)}>{api.name}</NameLink>
          </Group>
          {row.fault && <FaultBadge fault={row.fault} />}
          {row.drift && <DriftBadge kind={row.drift} />}
          <SignInBadges apiId={row.id} now={new Date()} />
          <TagChips tags={api.tags} listPath={paths.apis} />
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
  {
    head: 'Context',
    key: 'context',
    isExtra: true,
    cell: (row) => `/${readSubmittedApi(row).context}`,
  },
  {
    head: 'Access',
    key: 'api_access',
    isExtra: true,
    cell: (row) => readSubmittedApi(row).api_access,
  },
  {
    head: 'Endpoints',
    key: 'endpoints_count',
    isExtra: true,
    isFigure: true,
    cell: (row) => row.endpoints_count,
  },
]

/** A stored procedure has no URL, so its database is shown instead. */
function Address({ api }: { api: SubmittedApi }) {
  if (api.api_protocol === 'http') return api.api_url
  return (
    <Text size="sm" c="dimmed">
      {databaseOf(api)}
    </Text>
  )
}
