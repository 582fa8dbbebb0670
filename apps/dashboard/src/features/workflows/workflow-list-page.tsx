import { Code, Text } from '@mantine/core'
import type { WorkflowListRow } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { DeleteDialog } from '../../ui/dialog/delete-dialog.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { RowActions } from '../../ui/table/row-actions.tsx'
import { workflowQueries, useDeleteWorkflow } from './workflow-queries.ts'
import { workflowKindWords, workflowStatusWords } from './workflows-messages.ts'
import { StatusWord } from '../../ui/text/status-word.tsx'
import { NameLink } from '../../ui/text/name-link.tsx'

type SortColumn = 'id' | 'name' | 'slug' | 'kind' | 'status' | 'updated_at'

/** spec: workflow-definition. */
export function WorkflowListPage() {
  const can = useCan()
  const deletion = useDeleteWorkflow()
  return (
    <ListPage
      id="workflows"
      title="Workflows"
      subtitle="Requests that are saved, started by machines or by hand, and carried out in lanes."
      add={can('workflow.create') ? { label: 'Add workflow', to: paths.workflowCreate } : undefined}
      list={workflowQueries.list}
      columns={columns}
      searchLabel="Search workflows"
      empty={{
        title: 'No workflows yet',
        hint: 'A workflow holds what a run is made of: its steps, and how their bodies are made from the input. Add one here, or press Save as workflow on the Tax, Credit or Build Request screen.',
      }}
      renderActions={(row, ask) => (
        <RowActions
          name={row.name}
          editPath={can('workflow.edit') ? paths.workflowEdit(row.id) : undefined}
          viewPath={paths.workflow(row.id)}
          onDelete={can('workflow.delete') ? ask : undefined}
        />
      )}
      renderDialog={(row, onClose) => (
        <DeleteDialog
          row={row}
          noun="workflow"
          renderConsequences={(workflow) => (
            <Text size="sm">
              <b>{workflow.name}</b> will be deleted, and with it the access that roles have to it.
              Calls of <Code>/api/workflows/{workflow.slug}/runs</Code> are refused from then on.
              Its runs stay in the history.
            </Text>
          )}
          remove={(workflow) => deletion.mutateAsync(workflow.id)}
          onClose={onClose}
        />
      )}
    />
  )
}

const columns: Column<WorkflowListRow, SortColumn>[] = [
  {
    head: 'Name',
    isName: true,
    sort: 'name',
    width: '28%',
    cell: (row) => (
      <>
        <NameLink to={paths.workflow(row.id)}>{row.name}</NameLink>
        {row.description !== '' && (
          <Text size="xs" c="dimmed" lineClamp={1} title={row.description}>
            {row.description}
          </Text>
        )}
      </>
    ),
  },
  {
    head: 'Slug',
    sort: 'slug',
    cell: (row) => (
      <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {row.slug}
      </Text>
    ),
  },
  {
    head: 'Kind',
    sort: 'kind',
    width: '8rem',
    cell: (row) => (
      <Text size="sm">
        {workflowKindWords[row.kind]},{' '}
        {row.steps_count === 1 ? '1 step' : `${row.steps_count} steps`}
      </Text>
    ),
  },
  {
    head: 'Status',
    sort: 'status',
    width: '6.5rem',
    cell: (row) => <WorkflowBadge status={row.status} />,
  },
  { head: 'Version', width: '5rem', isFigure: true, isMinor: true, cell: (row) => row.version },
  {
    head: 'Lane',
    isMinor: true,
    width: '9rem',
    cell: (row) => (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {row.lane}
      </Text>
    ),
  },
  {
    head: 'Last change',
    sort: 'updated_at',
    width: '12rem',
    cell: (row) => <Moment at={row.updated_at} isRelative />,
  },
]

export function WorkflowBadge({ status }: Pick<WorkflowListRow, 'status'>) {
  return (
    <StatusWord color={status === 'active' ? 'green' : 'orange'}>
      {workflowStatusWords[status]}
    </StatusWord>
  )
}
