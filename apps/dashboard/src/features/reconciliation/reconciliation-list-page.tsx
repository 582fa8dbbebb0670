import { Group, Text } from '@mantine/core'
import type { ReconciliationRecord } from '@gatehouse/contract'
import { readRegister, RegisterFilter } from '../../entities/document/register-filter.tsx'
import { RegisterNames } from '../../entities/document/register-names.tsx'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import { useAddressFilter } from '../../lib/page/use-address-filter.ts'
import type { Column } from '../../ui/table/data-table.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { reconciliationQueries } from './reconciliation-queries.ts'
import { periodWords } from './reconciliation-words.ts'
import { ResultBadge } from './result-summary.tsx'
import { NameLink } from '../../ui/text/name-link.tsx'

const filterNames = ['register'] as const
const readFilter = (address: URLSearchParams) => ({ register: readRegister(address) })

/** Comparisons of the ERP, the ledger and the authority, each with its last result. */
export function ReconciliationListPage() {
  const can = useCan()
  const { filter, setFilter } = useAddressFilter(filterNames, readFilter)
  return (
    <ListPage
      id="reconciliations"
      title="Reconciliation"
      subtitle="What the ERP, our ledger and the authority say of the same days."
      list={(query) => reconciliationQueries.list({ ...query, ...filter })}
      columns={columns}
      searchLabel="Search by name"
      filters={{
        fields: (
          <RegisterFilter
            value={filter.register}
            onChange={(register) => setFilter({ register })}
          />
        ),
        areSet: filter.register !== '',
      }}
      empty={{
        title: 'No comparisons yet',
        hint: 'A comparison fetches a list of your ERP and names each document that differs.',
      }}
      add={
        can('reconciliation.edit')
          ? { label: 'New comparison', to: paths.reconciliationCreate }
          : undefined
      }
    />
  )
}

const columns: Column<ReconciliationRecord, 'id' | 'name' | 'next_run_at'>[] = [
  {
    head: 'Name',
    isName: true,
    sort: 'name',
    cell: (row) => <NameLink to={paths.reconciliation(row.id)}>{row.name}</NameLink>,
  },
  {
    head: 'Register',
    width: '11rem',
    cell: ({ register }) => (register === '' ? 'all' : <RegisterNames names={[register]} />),
  },
  {
    head: 'Last result',
    cell: ({ last_result: last }) =>
      last === null ? (
        <Text size="sm" c="dimmed">
          none yet
        </Text>
      ) : (
        <Group gap={6}>
          <ResultBadge result={last} />
          <Text size="sm">{periodWords(last)}</Text>
        </Group>
      ),
  },
  {
    head: 'Next',
    sort: 'next_run_at',
    width: '13rem',
    cell: (row) =>
      row.next_run_at === null ? 'by hand' : <Moment at={row.next_run_at} isRelative />,
  },
]
