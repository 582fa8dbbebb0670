import { Anchor, Text } from '@mantine/core'
import { Link, useSearchParams } from 'react-router'
import type { DeliveryRow } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import { useAddressFilter } from '../../lib/page/use-address-filter.ts'
import type { Column } from '../../ui/table/data-table.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import {
  DeliveryFilters,
  deliveryFilterNames,
  deliveryTerms,
  readDeliveryFilter,
} from './delivery-filters.tsx'
import { deliveryQueries } from './delivery-queries.ts'
import { DeliveryBadge, noteOf } from './delivery-words.tsx'
import { SendDeadButton } from './send-dead-button.tsx'
import { NameLink } from '../../ui/text/name-link.tsx'

/** Everything that is sent to receivers: what waits, what arrived and what was given up. */
export function DeliveryListPage() {
  const can = useCan()
  const [address] = useSearchParams()
  const place = address.get('search')?.trim() ?? ''
  const { filter, setFilter } = useAddressFilter(deliveryFilterNames, readDeliveryFilter)
  return (
    <ListPage
      id="deliveries"
      title="Deliveries"
      subtitle="Results and alarms on their way to receivers. What does not arrive is tried again for 24 hours."
      list={({ search, ...query }) => deliveryQueries.list({ ...query, ...filter, place: search })}
      searchLabel="Receiver: its host and port"
      columns={columns}
      actions={can('workflow.operate') && place !== '' && <SendDeadButton place={place} />}
      filters={{
        fields: <DeliveryFilters filter={filter} setFilter={setFilter} />,
        areSet: Object.keys(filter).length > 0,
        terms: deliveryTerms,
      }}
      empty={{
        title: 'No deliveries yet',
        hint: 'A workflow with a callback sends its results. Set it on the page of the workflow.',
      }}
    />
  )
}

const columns: Column<DeliveryRow, 'id'>[] = [
  {
    head: 'Delivery',
    isName: true,
    sort: 'id',
    width: '24%',
    cell: (row) => (
      <>
        <NameLink to={paths.delivery(row.id)}>
          {row.id} · {row.subject}
        </NameLink>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {row.workflow?.name}
          {row.run_id !== null && ` · run ${row.run_id}`}
          {row.run_id === null && row.batch_id !== null && ` · batch ${row.batch_id}`}
        </Text>
      </>
    ),
  },
  {
    head: 'To',
    width: '26%',
    cell: (row) => (
      <>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{row.target}</bdi>
        </Text>
        <Anchor
          component={Link}
          to={`${paths.deliveries}?search=${encodeURIComponent(row.place)}`}
          size="xs"
          aria-label={`All to this receiver: ${row.place}`}
        >
          All to this receiver
        </Anchor>
      </>
    ),
  },
  {
    head: 'State',
    width: '24%',
    cell: (row) => (
      <>
        <DeliveryBadge state={row.state} />
        <Text size="xs" c="dimmed" mt={2} style={{ overflowWrap: 'anywhere' }}>
          {noteOf(row)}
          {row.next_try_at !== null && row.waits_for === null && row.tries > 0 && (
            <>
              {' '}
              Next try <Moment at={row.next_try_at} isRelative />
            </>
          )}
        </Text>
      </>
    ),
  },
  { head: 'Tries', width: '4rem', isFigure: true, cell: (row) => row.tries },
  { head: 'Made', width: '11rem', cell: (row) => <Moment at={row.created_at} isRelative /> },
]
