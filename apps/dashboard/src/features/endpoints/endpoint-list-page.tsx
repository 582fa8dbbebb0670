import { Anchor, Code, Group, Text } from '@mantine/core'
import type { EndpointRecord } from '@gatehouse/contract'
import { Link } from 'react-router'
import { Fragment, type ReactNode } from 'react'
import { WorkflowLink } from '../../entities/workflow/workflow-link.tsx'
import { CallError } from '../../lib/calls/call-error.ts'
import { paths } from '../../entities/paths.ts'
import { BulkBar } from '../../entities/bulk/bulk-bar.tsx'
import { verbsFor } from '../../entities/bulk/bulk-words.ts'
import { useUndo } from '../../entities/undo/use-undo.ts'
import { TagChips } from '../../entities/tag/tag-chips.tsx'
import type { ListQuery } from '../../lib/page/list-params.ts'
import { useCan } from '../../lib/session/session.tsx'
import { useAddressFilter } from '../../lib/page/use-address-filter.ts'
import type { Column } from '../../ui/table/data-table.tsx'
import { DeleteDialog } from '../../ui/dialog/delete-dialog.tsx'
import { MethodBadge } from '../../entities/endpoint/method-badge.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import type { AllFound } from '../../ui/table/picked-bar.tsx'
import { RowActions } from '../../ui/table/row-actions.tsx'
import { StatusBadge } from '../../entities/api/status-badge.tsx'
import {
  EndpointFilters,
  endpointFilterNames,
  endpointTerms,
  readEndpointFilter,
  toEndpointQuery,
} from './endpoint-filters.tsx'
import { endpointQueries, useDeleteEndpoint } from './endpoint-queries.ts'
import { withReturn } from './return-to-api.ts'
import { NameLink } from '../../ui/text/name-link.tsx'

type SortColumn = 'id' | 'status' | 'description' | 'path' | 'method_type'

/** spec: endpoint-list. */
export function EndpointListPage() {
  const can = useCan()
  const list = useEndpointList()
  return (
    <ListPage
      title="Endpoints"
      add={can('endpoint.create') ? { label: 'Add endpoint', to: paths.endpointCreate } : undefined}
      {...list}
    />
  )
}

/** The list of endpoints, of one API or of all: what `RecordList` shows of it. */
export function useEndpointList(apiId?: number) {
  const deletion = useDeleteEndpoint()
  const undo = useUndo('endpoint')
  const can = useCan()
  const { filter, setFilter } = useAddressFilter(endpointFilterNames, readEndpointFilter)
  const { api: _, ...ownFilter } = filter
  const narrowed = apiId === undefined ? filter : { ...ownFilter, api: String(apiId) }
  const listPath = apiId === undefined ? paths.endpoints : paths.apiPart(apiId, 'endpoints')
  const editPathOf = ({ id }: EndpointRecord) =>
    can('endpoint.edit') ? withReturn(paths.endpointEdit(id), apiId !== undefined) : undefined
  return {
    id: 'endpoints',
    list: (query: ListQuery<SortColumn>) =>
      endpointQueries.list({ ...query, ...toEndpointQuery(narrowed) }),
    searchLabel: 'Search endpoints',
    filters: {
      fields: (
        <EndpointFilters filter={filter} setFilter={setFilter} isOfOneApi={apiId !== undefined} />
      ),
      areSet: Object.keys(apiId === undefined ? filter : ownFilter).length > 0,
      terms: endpointTerms(apiId === undefined && can('api.view')),
    },
    empty: {
      title: 'No endpoints yet',
      hint: 'An endpoint is one path of an API that may be called. Register an API first, then add its endpoints here.',
    },
    columns: columnsOf(listPath, editPathOf, apiId !== undefined),
    bulk:
      verbsFor('endpoints', can).length > 0
        ? {
            nameOf: ({ description }: EndpointRecord) => description,
            canTakeAll: true as const,
            renderBar: (
              rows: EndpointRecord[],
              show: (dialog: ReactNode) => void,
              all: AllFound | undefined,
            ) => (
              <BulkBar
                kind="endpoints"
                show={show}
                target={
                  all
                    ? {
                        filter: { search: all.search, ...toEndpointQuery(narrowed) },
                        total: all.total,
                      }
                    : { rows: rows.map(({ id, description }) => ({ id, name: description })) }
                }
              />
            ),
          }
        : undefined,
    renderActions: (row: EndpointRecord, ask: () => void) => (
      <RowActions
        hasDelete
        name={row.description}
        editPath={editPathOf(row)}
        onDelete={can('endpoint.delete') ? ask : undefined}
      />
    ),
    renderDialog: (row: EndpointRecord | undefined, onClose: () => void) => (
      <DeleteDialog
        row={row}
        noun="endpoint"
        renderConsequences={(endpoint) => <WhatGoes endpoint={endpoint} />}
        remove={(endpoint) => deletion.mutateAsync(endpoint.id)}
        undo={(endpoint) => undo([endpoint.id])}
        renderHelp={(error) => (
          <>
            <UnknownRunsLink error={error} endpointId={row?.id} />
            <WorkflowLinks error={error} />
          </>
        )}
        onClose={onClose}
      />
    ),
  }
}

const columnsOf = (
  listPath: string,
  editPathOf: (row: EndpointRecord) => string | undefined,
  isOfOneApi: boolean,
): Column<EndpointRecord, SortColumn>[] => [
  { head: '#', sort: 'id', width: '4rem', isMinor: true, cell: (row) => row.id },
  {
    head: 'Status',
    sort: 'status',
    width: '7rem',
    cell: (row) => <StatusBadge status={row.status} />,
  },
  {
    // wire (spec: entities): the Name column is the description.
    head: 'Name',
    isName: true,
    sort: 'description',
    width: '36%',
    cell: (row) => (
      <Group gap="xs">
        <Text span lineClamp={2}>
          <NameLink to={editPathOf(row)}>{row.description}</NameLink>
        </Text>
        {!isOfOneApi && (
          <Text span size="xs" c="dimmed">
            {row.api.name}
          </Text>
        )}
        <TagChips tags={row.tags} listPath={listPath} />
      </Group>
    ),
  },
  {
    head: 'Path',
    sort: 'path',
    cell: (row) => (
      <Text size="sm" ff="monospace">
        {row.path}
      </Text>
    ),
  },
  {
    head: 'Type',
    sort: 'method_type',
    width: '6rem',
    cell: (row) => <MethodBadge method={row.method_type} />,
  },
  { head: 'Summary', key: 'summery', isExtra: true, cell: (row) => row.summery },
  {
    head: 'Authentication',
    key: 'authentication',
    isExtra: true,
    cell: (row) => (row.authentication === 1 ? 'Bearer Token' : 'Off'),
  },
]

/** Leads to the runs that keep the endpoint from being deleted. */
function UnknownRunsLink({
  error,
  endpointId,
}: {
  error: unknown
  endpointId?: number | undefined
}) {
  const can = useCan()
  const isRefusal = error instanceof CallError && error.code === 'endpoint.has_unknown_runs'
  if (!isRefusal || endpointId === undefined || !can('run.view')) return null
  return (
    <Anchor component={Link} to={`${paths.unclear}?state=unknown&endpoint=${endpointId}`} inherit>
      Show them in the history
    </Anchor>
  )
}

/** Leads to the workflows that call the endpoint. */
function WorkflowLinks({ error }: { error: unknown }) {
  if (!(error instanceof CallError) || error.code !== 'endpoint.in_workflow') return null
  // Absent for users who may not view workflows.
  const named = (error.details['workflows'] ?? []) as { id: number; name: string }[]
  const workflows = [...new Map(named.map((each) => [each.id, each])).values()]
  const [only] = workflows
  if (only && workflows.length === 1) return <WorkflowLink id={only.id} name="Show it" />
  return workflows.map(({ id, name }, at) => (
    <Fragment key={id}>
      {at === 0 ? 'Show ' : ', '}
      <WorkflowLink id={id} name={name} />
    </Fragment>
  ))
}

function WhatGoes({ endpoint }: { endpoint: EndpointRecord }) {
  return (
    <Text size="sm">
      <b>{endpoint.description}</b> will be deleted, and with it the access that roles have to it.
      The gateway stops answering{' '}
      <Code>
        {endpoint.method_type.toUpperCase()} /{endpoint.api.context}
        {endpoint.path}
      </Code>
      . You can undo this for 10 seconds.
    </Text>
  )
}
