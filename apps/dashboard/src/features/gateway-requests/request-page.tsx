import { Alert, Button, Group, Paper, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { GatewayRequest, GatewayRequestPage } from '@gatehouse/contract'
import { messageOf } from '../../lib/calls/call-error.ts'
import { useAddressFilter } from '../../lib/page/use-address-filter.ts'
import { Loading } from '../../ui/page/loading.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { Notice, RetryNotice } from '../../ui/page/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import {
  isFiltered,
  readRequestFilter,
  requestFilterNames,
  toRequestQuery,
} from './request-filter.ts'
import { RequestFilters } from './request-filters.tsx'
import classes from './request-page.module.css'
import { RequestPanel } from './request-panel.tsx'
import { useRequests } from './request-queries.ts'
import { RequestTable, rowKey } from './request-table.tsx'

/** What the gateway of this server has answered, newest first, followed live. */
export function RequestPage() {
  const filters = useAddressFilter(requestFilterNames, readRequestFilter)
  const [isPaused, setIsPaused] = useState(false)
  const [opened, setOpened] = useState<GatewayRequest>()
  // What ended before a moment does not become more.
  const canFollow = filters.filter.to === ''
  const { list, follow } = useRequests(toRequestQuery(filters.filter), canFollow && !isPaused)
  const first = list.data?.pages[0]
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? []
  const at = opened === undefined ? -1 : rows.findIndex((row) => rowKey(row) === rowKey(opened))
  const openAt = (place: number) =>
    rows[place] === undefined ? undefined : () => setOpened(rows[place])
  useEffect(() => {
    if (opened === undefined) return
    // The list is as long as the page: the line goes along with the details.
    document.querySelector('tr[data-current]')?.scrollIntoView?.({ block: 'nearest' })
  }, [opened])
  return (
    <Page
      title="Gateway requests"
      {...(first ? { subtitle: placeText(first) } : {})}
      actions={
        canFollow && <FollowButton isPaused={isPaused} onToggle={() => setIsPaused(!isPaused)} />
      }
    >
      <RequestFilters
        {...filters}
        tokenName={first?.token ?? undefined}
        gateways={first?.gateways ?? []}
      />
      {first?.records_all === false && (
        <Alert color="yellow" title="Only requests that failed are recorded">
          LOG_LEVEL leaves the others out. With LOG_LEVEL=info all are recorded.
        </Alert>
      )}
      {follow.isError && !isPaused && (
        <Alert color="red" role="alert" title="New requests could not be loaded">
          {messageOf(follow.error)}
        </Alert>
      )}
      <Paper className={classes['frame'] ?? ''}>
        <Rows
          list={list}
          rows={rows}
          isFiltered={isFiltered(filters.filter)}
          opened={opened}
          onOpen={setOpened}
        />
      </Paper>
      {opened && first && (
        <RequestPanel
          key={rowKey(opened)}
          row={opened}
          server={first.server}
          isLone={filters.filter.server !== ''}
          onClose={() => setOpened(undefined)}
          onNewer={at > 0 ? openAt(at - 1) : undefined}
          onOlder={at < 0 ? undefined : openAt(at + 1)}
          onFilter={(changes) => filters.setFilter(changes)}
        />
      )}
    </Page>
  )
}

function placeText({ server, other_servers }: GatewayRequestPage): string {
  const here = `Newest first, of the gateway on ${server}.`
  if (other_servers.length === 0) return here
  return `${here} Other servers keep those of their own gateways: ${[...new Set(other_servers)].slice(0, 5).join(', ')}.`
}

function FollowButton({ isPaused, onToggle }: { isPaused: boolean; onToggle: () => void }) {
  const Icon = isPaused ? IconPlayerPlay : IconPlayerPause
  return (
    <Button
      variant={isPaused ? 'filled' : 'default'}
      leftSection={<Icon size={16} />}
      onClick={onToggle}
    >
      {isPaused ? 'Follow' : 'Pause'}
    </Button>
  )
}

interface RowsProps {
  list: ReturnType<typeof useRequests>['list']
  rows: GatewayRequest[]
  isFiltered: boolean
  opened: GatewayRequest | undefined
  onOpen: (row: GatewayRequest) => void
}

function Rows({ list, rows, isFiltered: areSet, opened, onOpen }: RowsProps) {
  if (list.isPending) return <Loading />
  if (list.isError) {
    return (
      <RetryNotice
        title="The requests could not be loaded."
        reason={messageOf(list.error)}
        isRetrying={list.isFetching}
        onRetry={() => void list.refetch()}
      />
    )
  }
  const reached = list.data.pages.at(-1)?.looked_back_to ?? null
  return (
    <>
      {rows.length > 0 && <RequestTable rows={rows} opened={opened} onOpen={onOpen} />}
      {rows.length === 0 && <Nothing areSet={areSet} reached={reached} />}
      {list.hasNextPage && (
        <Group gap="sm" p="sm">
          <Button
            variant="default"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {reached === null ? 'Show older' : 'Look further back'}
          </Button>
          {reached !== null && rows.length > 0 && (
            <Text size="sm" c="dimmed">
              Looked back to <Moment at={reached} />.
            </Text>
          )}
        </Group>
      )}
    </>
  )
}

function Nothing({ areSet, reached }: { areSet: boolean; reached: string | null }) {
  if (reached !== null)
    return (
      <Notice title="Nothing so far">
        <Text size="sm" c="dimmed">
          Looked back to <Moment at={reached} />.
        </Text>
      </Notice>
    )
  if (areSet) return <Notice title="Nothing matches these filters." />
  return (
    <Notice title="No requests yet">
      <Text size="sm" c="dimmed" maw={440}>
        What clients send to the gateway of this server shows here a second after it was answered.
      </Text>
    </Notice>
  )
}
