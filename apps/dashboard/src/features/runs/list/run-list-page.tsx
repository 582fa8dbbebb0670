import { Button, Group, Text, VisuallyHidden } from '@mantine/core'
import type { RunListItem } from '@gatehouse/contract'
import { Link } from 'react-router'
import { RegisterNames } from '../../../entities/document/register-names.tsx'
import { paths } from '../../../entities/paths.ts'
import { NameLink } from '../../../ui/text/name-link.tsx'
import { opens } from '../../../ui/table/open-row.ts'
import { RunBadge, TestBadge } from '../../../entities/run/run-badges.tsx'
import { RunLink } from '../../../entities/run/run-link.tsx'
import { WorkflowLink } from '../../../entities/workflow/workflow-link.tsx'
import { runQueries } from '../../../entities/run/run-queries.ts'
import { kindWords, stepStateWords } from '../../../entities/run/run-words.ts'
import { useAddressFilter } from '../../../lib/page/use-address-filter.ts'
import type { Column } from '../../../ui/table/data-table.tsx'
import { ListPage } from '../../../ui/table/list-page.tsx'
import { Moment } from '../../../ui/text/moment.tsx'
import { filterNames, isFiltered, readRunFilter, toRunQuery } from './run-filter.ts'
import { RunFilters, runTerms } from './run-filters.tsx'
import classes from './run-list-page.module.css'

type SortColumn = 'id' | 'created_at' | 'state' | 'kind' | 'user_name'

/** Every run, newest first. The search box finds runs by the reference of their document. */
export function RunListPage() {
  const filters = useAddressFilter(filterNames, readRunFilter)
  return (
    <ListPage
      id="runs"
      title="History"
      subtitle="Every run of Build Request, tax, credit and workflows, newest first. Nothing here can be changed or deleted."
      // The reference is one of the filters, because links set it too.
      list={({ search: _, ...query }) =>
        runQueries.list({ ...query, ...toRunQuery(filters.filter) })
      }
      columns={columns}
      actionColumn={{ width: '6rem' }}
      renderActions={({ id }) => (
        <Button
          component={Link}
          to={paths.run(id)}
          {...opens}
          variant="subtle"
          size="compact-sm"
          px={6}
          ms={-6}
        >
          View<VisuallyHidden> run {id}</VisuallyHidden>
        </Button>
      )}
      searchLabel="Search by reference"
      searchName="reference"
      filters={{
        fields: <RunFilters {...filters} />,
        areSet: isFiltered(filters.filter),
        terms: runTerms,
      }}
      empty={{
        title: 'No runs yet',
        hint: 'What you send from Build Request, Workflow or Credit is listed here.',
      }}
    />
  )
}

const columns: Column<RunListItem, SortColumn>[] = [
  { head: '#', sort: 'id', width: '4.5rem', cell: (row) => row.id },
  {
    head: 'When',
    sort: 'created_at',
    width: '12rem',
    cell: (row) => <Moment at={row.created_at} isRelative />,
  },
  {
    head: 'Kind',
    sort: 'kind',
    width: '7.5rem',
    cell: (row) => (
      <Group gap={6}>
        {kindWords[row.kind]}
        {row.is_test && <TestBadge />}
      </Group>
    ),
  },
  {
    head: 'State',
    sort: 'state',
    width: '10.5rem',
    cell: (row) => <State row={row} />,
  },
  { head: 'Reference', isName: true, cell: (row) => <Reference row={row} /> },
  {
    head: 'Register',
    width: '9rem',
    isMinor: true,
    cell: (row) => <RegisterNames names={row.registers} />,
  },
  { head: 'Steps', cell: (row) => <StepDots row={row} /> },
  { head: 'Who', sort: 'user_name', width: '9rem', isMinor: true, cell: (row) => row.user_name },
]

function State({ row }: { row: RunListItem }) {
  return (
    <>
      <RunBadge state={row.state} isDryRun={row.is_dry_run} />
      {row.is_closed && (
        <Text size="xs" c="dimmed">
          closed
        </Text>
      )}
      {!row.is_closed && row.overtaken_by !== null && (
        <Text size="xs" c="dimmed">
          overtaken by <RunLink id={row.overtaken_by} />
        </Text>
      )}
    </>
  )
}

function Reference({ row }: { row: RunListItem }) {
  return (
    <>
      {row.reference === null ? (
        <Text size="sm" c="dimmed">
          none
        </Text>
      ) : (
        <Text size="sm" className={classes['line']} title={row.reference}>
          <NameLink to={paths.run(row.id)}>{row.reference}</NameLink>
        </Text>
      )}
      {row.workflow && (
        // Far enough below that a finger meets one of the two (WCAG 2.5.8).
        <Text size="xs" c="dimmed" mt={8} className={classes['line']} title={row.workflow.name}>
          <WorkflowLink {...row.workflow} />
        </Text>
      )}
      {row.retry_of !== null && (
        <Text size="xs" c="dimmed" mt={8}>
          retry of <RunLink id={row.retry_of} />
        </Text>
      )}
    </>
  )
}

/** One dot for each step, in its state's colour; in words when hovered and for screen readers. */
function StepDots({ row }: { row: RunListItem }) {
  return (
    <span className={classes['dots']}>
      {row.steps.map(({ position, endpoint_name, method, state }) => {
        const words = `${position}. ${method} ${endpoint_name}: ${stepStateWords[state]}`
        return (
          <span key={position} className={classes['dot']} data-state={state} title={words}>
            <VisuallyHidden>{words}. </VisuallyHidden>
          </span>
        )
      })}
    </span>
  )
}
