import { Alert, Anchor, Button, Group, Select, Stack, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { DifferenceKind, ReconciliationLine, ReconciliationResult } from '@gatehouse/contract'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { RegisterNames } from '../../entities/document/register-names.tsx'
import { DocumentBadge } from '../../entities/document/document-badge.tsx'
import { messageOf } from '../../lib/calls/call-error.ts'
import { notifyError } from '../../lib/page/notify.tsx'
import { saveCsv } from '../../lib/browser/save-file.ts'
import { useCan } from '../../lib/session/session.tsx'
import { useThingName } from '../../lib/page/thing-name.ts'
import { useMutation } from '../../lib/calls/use-mutation.ts'
import { useRecordId } from '../../lib/page/use-record-id.ts'
import type { Column } from '../../ui/table/data-table.tsx'
import { Figures } from '../../ui/chart/figures.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { Page } from '../../ui/page/page.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { RecordList } from '../../ui/table/record-list.tsx'
import { fetchCsv, reconciliationQueries, type ResultPlace } from './reconciliation-queries.ts'
import { differenceWords, periodWords, reconciliationMessages } from './reconciliation-words.ts'
import { DifferenceBadges, ResultBadge } from './result-summary.tsx'

/** One result: the three counts first, then each document that differs. */
export function ResultPage() {
  const place = { id: useRecordId(), result: Number(useParams()['result']) }
  const query = useQuery(reconciliationQueries.result(place))
  const { name, result } = query.data ?? {}
  useThingName(result && periodWords(result), {
    within: name === undefined ? undefined : { name, to: paths.reconciliation(place.id) },
  })
  const download = useMutation({
    mutationFn: async () => saveCsv(`differences-${place.result}.csv`, await fetchCsv(place)),
    onError: (error) => notifyError('The file could not be downloaded.', messageOf(error)),
  })
  return (
    <Page
      title={result ? periodWords(result) : 'Result'}
      subtitle={
        <Anchor
          component={Link}
          to={paths.reconciliation(place.id)}
          inherit
          underline="always"
          style={{ overflowWrap: 'anywhere' }}
        >
          {name ?? 'Comparison'}
        </Anchor>
      }
      actions={
        result?.state === 'done' && (
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={download.isPending}
            onClick={() => download.mutate()}
          >
            CSV
          </Button>
        )
      }
    >
      <QueryLoader query={query} failureText={reconciliationMessages.notLoaded}>
        {(shown) => <Content place={place} result={shown.result} />}
      </QueryLoader>
    </Page>
  )
}

function Content({ place, result }: { place: ResultPlace; result: ReconciliationResult }) {
  const { counts, message, state } = result
  if (state !== 'done')
    return (
      <Stack gap="md">
        <Group>
          <ResultBadge result={result} />
        </Group>
        {message !== null && <Alert color="red">{message}</Alert>}
        {message === null && <Text size="sm">The lists are being compared.</Text>}
      </Stack>
    )
  const shown = (count: number | null) => (count === null ? '–' : count.toLocaleString('en'))
  return (
    <Stack gap="lg">
      <FormCard title="What was compared">
        <Figures
          figures={[
            { name: 'In the ERP', value: shown(counts.erp) },
            { name: 'In our ledger', value: shown(counts.ledger) },
            { name: 'At the authority', value: shown(counts.authority) },
            { name: 'Agree', value: shown(counts.agreeing) },
          ]}
        />
        <Group gap="xs">
          <ResultBadge result={result} />
          <DifferenceBadges result={result} />
        </Group>
      </FormCard>
      {counts.differing > 0 && <Lines place={place} result={result} />}
    </Stack>
  )
}

function Lines({ place, result }: { place: ResultPlace; result: ReconciliationResult }) {
  const can = useCan()
  const [kind, setKind] = useState<DifferenceKind | ''>('')
  const kinds = Object.keys(result.differences) as DifferenceKind[]
  return (
    <section aria-labelledby="lines">
      <Title order={3} id="lines" mb="sm">
        Differences
      </Title>
      <RecordList
        id="reconciliation-lines"
        caption="Differences"
        list={(query) =>
          reconciliationQueries.lines(place, kind === '' ? query : { ...query, kind })
        }
        columns={columnsOf(can('run.view'))}
        searchLabel="Search by reference"
        filters={{
          fields: (
            <Select
              aria-label="Which differences"
              data={[
                { value: '', label: 'All differences' },
                ...kinds.map((value) => ({ value, label: differenceWords[value] })),
              ]}
              value={kind}
              allowDeselect={false}
              onChange={(next) => setKind(next ?? '')}
              w={{ base: '100%', xs: 220 }}
            />
          ),
          areSet: kind !== '',
        }}
        empty={{ title: 'No differences' }}
      />
    </section>
  )
}

const columnsOf = (canSee: boolean): Column<ReconciliationLine, 'id' | 'reference'>[] => [
  {
    head: 'Reference',
    sort: 'reference',
    cell: (row) =>
      canSee && row.document_id !== null ? (
        <Anchor
          component={Link}
          to={paths.document(row.document_id)}
          size="sm"
          style={{ overflowWrap: 'anywhere' }}
        >
          {row.reference}
        </Anchor>
      ) : (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {row.reference}
        </Text>
      ),
  },
  {
    head: 'Register',
    width: '9rem',
    cell: ({ register }) => <RegisterNames names={register === null ? [] : [register]} />,
  },
  { head: 'Difference', width: '13rem', cell: (row) => differenceWords[row.kind] },
  { head: 'ERP', width: '9rem', cell: (row) => row.erp_amount ?? '–' },
  { head: 'Ledger', width: '9rem', cell: (row) => row.ledger_amount ?? '–' },
  { head: 'Authority', width: '9rem', cell: (row) => row.authority_amount ?? '–' },
  {
    head: 'State here',
    width: '11rem',
    cell: (row) => (row.state === null ? '–' : <DocumentBadge state={row.state} />),
  },
]
