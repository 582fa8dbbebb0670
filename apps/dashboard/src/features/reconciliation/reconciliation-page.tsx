import { Alert, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReconciliationRecord, ReconciliationResult } from '@gatehouse/contract'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { calendarDay, isoDay } from '../../lib/format/calendar-day.ts'
import { CallError, messageOf } from '../../lib/calls/call-error.ts'
import { useNavigateIfHere } from '../../lib/page/screen-address.ts'
import { useCan } from '../../lib/session/session.tsx'
import { useThingName } from '../../lib/page/thing-name.ts'
import { useRecordId } from '../../lib/page/use-record-id.ts'
import type { Column } from '../../ui/table/data-table.tsx'
import { DeleteDialog } from '../../ui/dialog/delete-dialog.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { Page } from '../../ui/page/page.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { RecordList } from '../../ui/table/record-list.tsx'
import {
  reconciliationQueries,
  useDeleteReconciliation,
  useRunReconciliation,
} from './reconciliation-queries.ts'
import { periodWords, reconciliationMessages } from './reconciliation-words.ts'
import { DifferenceBadges, ResultBadge } from './result-summary.tsx'
import { NameLink } from '../../ui/text/name-link.tsx'

/** One comparison: start it for some days, and its results. */
export function ReconciliationPage() {
  const can = useCan()
  const query = useQuery(reconciliationQueries.one(useRecordId()))
  const record = query.data
  useThingName(record?.name)
  return (
    <Page
      title={record?.name ?? 'Comparison'}
      actions={record && can('reconciliation.edit') && <Verbs record={record} />}
    >
      <QueryLoader query={query} failureText={reconciliationMessages.notLoaded}>
        {(shown) => (
          <Stack gap="lg">
            {can('reconciliation.run') && <RunCard {...shown} />}
            <Results record={shown} />
          </Stack>
        )}
      </QueryLoader>
    </Page>
  )
}

function Verbs({ record }: { record: ReconciliationRecord }) {
  const [asked, setAsked] = useState<ReconciliationRecord>()
  const remove = useDeleteReconciliation()
  const navigate = useNavigateIfHere()
  return (
    <Group gap="sm">
      <Button component={Link} to={paths.reconciliationEdit(record.id)} variant="default">
        Edit
      </Button>
      <Button variant="subtle" color="red" onClick={() => setAsked(record)}>
        Delete
      </Button>
      <DeleteDialog
        row={asked}
        noun="comparison"
        renderConsequences={() => <Text size="sm">Its results are deleted too.</Text>}
        remove={async ({ id }) => {
          await remove.mutateAsync(id)
          navigate(paths.reconciliations)
        }}
        onClose={() => setAsked(undefined)}
      />
    </Group>
  )
}

function RunCard({ id, time_zone }: ReconciliationRecord) {
  // Where the comparison counts its days.
  const yesterday = () => isoDay(calendarDay(new Date(), time_zone) - 1)
  const [from_day, setFrom] = useState(yesterday)
  const [to_day, setTo] = useState(yesterday)
  const run = useRunReconciliation(id)
  const error = run.error
  const [first] = error instanceof CallError ? Object.values(error.errors).flat() : []
  return (
    <FormCard title="Compare now">
      <Group gap="sm" align="flex-end">
        <TextInput
          type="date"
          label="First day"
          value={from_day}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label="Last day"
          value={to_day}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <Button loading={run.isPending} onClick={() => run.mutate({ from_day, to_day })}>
          Compare
        </Button>
      </Group>
      {error && (
        <Alert color="red" role="alert">
          {first ?? messageOf(error)}
        </Alert>
      )}
    </FormCard>
  )
}

function Results({ record }: { record: ReconciliationRecord }) {
  return (
    <section aria-labelledby="results">
      <Title order={3} id="results">
        Results
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {record.next_run_at === null ? (
          'It is started by hand.'
        ) : (
          <>
            It compares the day before automatically, next <Moment at={record.next_run_at} />, on
            behalf of {record.user.name}.
          </>
        )}
      </Text>
      <RecordList
        id="reconciliation-results"
        caption="Results"
        list={reconciliationQueries.results(record.id)}
        columns={columnsOf(record.id)}
        searchLabel="Search by day or message"
        empty={{ title: 'Nothing was compared yet' }}
      />
    </section>
  )
}

const columnsOf = (id: number): Column<ReconciliationResult, 'id'>[] => [
  {
    head: 'Days',
    isName: true,
    sort: 'id',
    width: '14rem',
    cell: (row) => (
      <NameLink to={paths.reconciliationResult(id, row.id)}>{periodWords(row)}</NameLink>
    ),
  },
  { head: 'Result', width: '8rem', cell: (row) => <ResultBadge result={row} /> },
  { head: 'Differences', cell: (row) => <DifferenceBadges result={row} /> },
  { head: 'When', width: '13rem', cell: (row) => <Moment at={row.created_at} isRelative /> },
]
