import { Button, Group, Text, Title } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import type { BatchRecord } from '@gatehouse/contract'
import { Link } from 'react-router'
import { paths } from '../../../entities/paths.ts'
import { TestBadge } from '../../../entities/run/run-badges.tsx'
import { useCan } from '../../../lib/session/session.tsx'
import type { Column } from '../../../ui/table/data-table.tsx'
import { Moment } from '../../../ui/text/moment.tsx'
import { RecordList } from '../../../ui/table/record-list.tsx'
import type { Workflow } from '../read-workflow.ts'
import { BatchBadge, BatchBar } from './batch-progress.tsx'
import { batchQueries } from './batch-queries.ts'
import { leftOf, nameOf } from './batch-words.ts'
import { NameLink } from '../../../ui/text/name-link.tsx'

/** The files that were sent to a workflow, newest first (spec: batches). */
export function BatchList({ workflow }: { workflow: Workflow }) {
  const can = useCan()
  return (
    <section aria-labelledby="batches">
      <Group justify="space-between" gap="sm" mb="sm">
        <div>
          <Title order={3} id="batches">
            Batches
          </Title>
          <Text size="sm" c="dimmed">
            Files whose rows each became a run, newest first.
          </Text>
        </div>
        {can('workflow.run') && workflow.status === 'active' && (
          <Button
            component={Link}
            to={paths.batchCreate(workflow.id)}
            leftSection={<IconFileUpload size={16} aria-hidden />}
          >
            Send a file
          </Button>
        )}
      </Group>
      <RecordList
        id="batches"
        caption="Batches"
        list={batchQueries.list(workflow.slug)}
        columns={columnsOf(workflow.id)}
        searchLabel="Search by file or person"
        empty={{
          title: 'No batches yet',
          hint: 'A file of CSV, JSON or JSON lines becomes one run for each of its rows.',
        }}
      />
    </section>
  )
}

const columnsOf = (workflowId: number): Column<BatchRecord, 'id'>[] => [
  { head: '#', sort: 'id', width: '4.5rem', isMinor: true, cell: (row) => row.id },
  {
    head: 'File',
    isName: true,
    width: '26%',
    cell: (row) => <NameLink to={paths.batch(workflowId, row.id)}>{nameOf(row)}</NameLink>,
  },
  {
    head: 'State',
    width: '9rem',
    cell: (row) => (
      <Group gap={6}>
        <BatchBadge batch={row} />
        {row.is_test && <TestBadge />}
      </Group>
    ),
  },
  { head: 'Progress', cell: (row) => <Progress batch={row} /> },
  { head: 'Who', width: '9rem', cell: (row) => row.user_name },
  { head: 'When', width: '12rem', cell: (row) => <Moment at={row.created_at} isRelative /> },
]

function Progress({ batch }: { batch: BatchRecord }) {
  const ended = batch.total - leftOf(batch)
  return (
    <>
      <BatchBar counts={batch.counts} />
      <Text size="xs" c="dimmed" mt={2}>
        {ended.toLocaleString('en')} of {batch.total.toLocaleString('en')}
      </Text>
    </>
  )
}
