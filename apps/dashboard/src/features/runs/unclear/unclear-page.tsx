import { Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { UnclearRun } from '@gatehouse/contract'
import { paths } from '../../../entities/paths.ts'
import { RunBadge, TestBadge } from '../../../entities/run/run-badges.tsx'
import { outcomeWords } from '../../../entities/run/run-words.ts'
import { WorkflowLink } from '../../../entities/workflow/workflow-link.tsx'
import { serverWords } from '../../../lib/calls/server-words.tsx'
import { useCan } from '../../../lib/session/session.tsx'
import { useAddressFilter } from '../../../lib/page/use-address-filter.ts'
import type { Column } from '../../../ui/table/data-table.tsx'
import { ListPage } from '../../../ui/table/list-page.tsx'
import { Moment } from '../../../ui/text/moment.tsx'
import { NameLink } from '../../../ui/text/name-link.tsx'
import { healingWords } from '../inquiry-words.ts'
import { AllUnclear, UnclearBar } from './unclear-bar.tsx'
import { filterNames, isFiltered, readUnclearFilter, toUnclearQuery } from './unclear-filter.ts'
import { UnclearFilters } from './unclear-filters.tsx'
import classes from './unclear-page.module.css'
import { unclearList } from './unclear-queries.ts'
import { offeredVerbs, verbWords } from './unclear-verbs.ts'

/** The work list of runs that are neither accepted nor refused. */
export function UnclearPage() {
  const filters = useAddressFilter(filterNames, readUnclearFilter)
  const [dialog, setDialog] = useState<ReactNode>()
  const can = useCan()
  const mayAct = can('run.resolve') || can('run.resume')
  const query = toUnclearQuery(filters.filter)
  return (
    <>
      <ListPage
        id="unclear"
        title="Unclear"
        subtitle="Runs that are neither accepted nor refused, the oldest first: what happens to them without you, and what you can do."
        actions={mayAct && <AllUnclear target={{ filter: query }} show={setDialog} />}
        // The reference is one of the filters, because links set it too.
        list={({ search: _, ...page }) => unclearList({ ...page, ...query })}
        columns={columns}
        bulk={mayAct ? bulk : undefined}
        searchLabel="Search by reference"
        searchName="reference"
        filters={{
          fields: <UnclearFilters {...filters} />,
          areSet: isFiltered(filters.filter),
        }}
        empty={{
          title: 'Nothing is unclear',
          hint: 'A run is listed here while it is not known what became of it, or while it needs a person to go on.',
        }}
      />
      {dialog}
    </>
  )
}

const bulk = {
  nameOf: ({ id, reference }: UnclearRun) => reference ?? `Run ${id}`,
  renderBar: (rows: UnclearRun[], show: (dialog: ReactNode) => void) => (
    <UnclearBar target={{ ids: rows.map(({ id }) => id) }} show={show} />
  ),
}

const columns: Column<UnclearRun, 'id' | 'created_at' | 'state'>[] = [
  { head: 'Run', sort: 'id', width: '22%', isName: true, cell: (row) => <What row={row} /> },
  {
    head: 'Since',
    sort: 'created_at',
    width: '9rem',
    cell: (row) => <Moment at={row.since} isRelative />,
  },
  { head: 'Why', sort: 'state', width: '26%', cell: (row) => <Why row={row} /> },
  { head: 'Healing', cell: (row) => <Healing row={row} /> },
  {
    head: 'You can',
    width: '10rem',
    cell: (row) => {
      const verbs = offeredVerbs(row)
      return (
        <Text size="sm" {...(verbs.length === 0 ? { c: 'dimmed' } : {})}>
          {verbs.length === 0 ? 'only look' : verbs.map((verb) => verbWords[verb]).join(' · ')}
        </Text>
      )
    },
  },
]

/** In the line of the box that selects it. */
function What({ row }: { row: UnclearRun }) {
  return (
    <div className={classes['what']}>
      <NameLink to={paths.run(row.id)}>{row.reference ?? `Run ${row.id}`}</NameLink>{' '}
      {row.is_test && <TestBadge />}
      {row.workflow && (
        <Text size="xs" c="dimmed">
          <WorkflowLink {...row.workflow} />
        </Text>
      )}
    </div>
  )
}

function Why({ row: { state, step } }: { row: UnclearRun }) {
  const words = step?.message
    ? serverWords(step.message)
    : step?.outcome && outcomeWords[step.outcome]
  return (
    <>
      <RunBadge state={state} />
      {step && (
        <Text size="xs" mt={2}>
          {step.position}. {step.endpoint_name}
        </Text>
      )}
      {words && (
        <Text size="xs" c="dimmed">
          {words}
        </Text>
      )}
    </>
  )
}

function Healing({ row: { healing } }: { row: UnclearRun }) {
  if (!healing)
    return (
      <Text size="sm" c="dimmed">
        not at work
      </Text>
    )
  return (
    <>
      <Text size="sm">{healingWords(healing)}</Text>
      {healing.last?.detail && (
        <Text size="xs" c="dimmed">
          <Moment at={healing.last.at} isRelative />: {serverWords(healing.last.detail)}
        </Text>
      )}
    </>
  )
}
