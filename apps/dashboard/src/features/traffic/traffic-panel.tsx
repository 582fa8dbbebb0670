import { Group, Paper, SegmentedControl, Space, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TrafficAnswer, TrafficRange, GatewayStatus } from '@gatehouse/contract'
import { messageOf } from '../../lib/calls/call-error.ts'
import { Loading } from '../../ui/page/loading.tsx'
import { Notice, RetryNotice } from '../../ui/page/notice.tsx'
import { formatCount, formatLong, formatMs, formatShare } from './format-figures.ts'
import { OpenBreakers } from './open-breakers.tsx'
import { TrafficCharts } from './traffic-charts.tsx'
import classes from './traffic-panel.module.css'
import { trafficQueries } from './traffic-queries.ts'
import { TrafficTable } from './traffic-table.tsx'

const ranges = [
  { value: 'hour', label: 'Hour' },
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
] satisfies { value: TrafficRange; label: string }[]

/**
 * What went through the gateway: requests, errors and latencies, the busiest and the failing; of one API, or
 * of all.
 */
export function TrafficPanel({ apiId }: { apiId?: number }) {
  const [range, setRange] = useState<TrafficRange>('hour')
  const query = useQuery(trafficQueries.show(range, apiId))
  return (
    <Paper component="section" className={classes['panel'] ?? ''} aria-label="Figures">
      <Group justify="space-between" gap="sm">
        {apiId === undefined ? (
          <GatewayLine />
        ) : (
          <Text size="sm" c="dimmed">
            What clients sent to this API through the gateway.
          </Text>
        )}
        <SegmentedControl
          size="xs"
          aria-label="Span of time"
          data={ranges}
          value={range}
          onChange={(value) => setRange(value)}
        />
      </Group>
      {query.isPending && <Loading />}
      {query.isError && (
        <RetryNotice
          title="The traffic could not be loaded."
          reason={messageOf(query.error)}
          isRetrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.isSuccess && (
        <>
          {query.data.open_breakers.length > 0 && <Space h="md" />}
          <OpenBreakers breakers={query.data.open_breakers} />
          <Traffic traffic={query.data} apiId={apiId} />
        </>
      )}
    </Paper>
  )
}

function Traffic({ traffic, apiId }: { traffic: TrafficAnswer; apiId: number | undefined }) {
  const { totals, busiest, failing, range } = traffic
  if (totals.requests === 0) {
    return (
      <Notice title={`No requests in the last ${range}`}>
        <Text size="sm" c="dimmed" maw={440}>
          What clients send through the gateway is counted here, by endpoint, a few seconds after it
          was answered.
        </Text>
      </Notice>
    )
  }
  return (
    <Stack gap="lg" mt="md">
      <dl className={classes['figures']}>
        <Figure label="Requests" value={formatCount(totals.requests)} />
        <Figure
          label="Errors (5xx)"
          value={formatCount(totals.errors)}
          note={formatShare(totals.errors, totals.requests)}
        />
        <Figure
          label="Refused (4xx)"
          value={formatCount(totals.refused)}
          note={formatShare(totals.refused, totals.requests)}
        />
        <Figure label="p50" value={formatMs(totals.p50)} />
        <Figure label="p95" value={formatMs(totals.p95)} />
        <Figure label="p99" value={formatMs(totals.p99)} />
        <CacheFigures {...totals.cache} />
      </dl>
      <TrafficCharts traffic={traffic} apiId={apiId} />
      <TrafficTable title="Busiest endpoints" rows={busiest} />
      {failing.length > 0 && <TrafficTable title="Failing endpoints" rows={failing} />}
      {totals.unmatched > 0 && (
        <Text size="sm" c="dimmed">
          {formatCount(totals.unmatched)} of them met no endpoint.
        </Text>
      )}
    </Stack>
  )
}

function CacheFigures({ hits, misses, saved_ms }: TrafficAnswer['totals']['cache']) {
  const asked = hits + misses
  if (asked === 0) return null
  return (
    <>
      <Figure label="From the cache" value={formatCount(hits)} note={formatShare(hits, asked)} />
      <Figure label="Time saved by the cache" value={formatLong(saved_ms)} />
    </>
  )
}

function Figure({ label, value, note }: { label: string; value: string; note?: string }) {
  return (
    <div className={classes['figure']}>
      <dt>{label}</dt>
      <dd>
        {value}
        {note !== undefined && <small>{note}</small>}
      </dd>
    </div>
  )
}

/** Whether the gateway serves, and on which configuration; GatewayBanner says why not on a newer one. */
function GatewayLine() {
  const { data: gateway } = useQuery(trafficQueries.gateway())
  if (!gateway) return null
  return (
    <Text size="sm" c="dimmed">
      {describeGateway(gateway)}
    </Text>
  )
}

function describeGateway(gateway: GatewayStatus) {
  const { address, gateway_url, workers, published_revision, all_servers: all } = gateway
  if (all.gateways > 1 || (address === null && all.gateways > 0)) {
    const { serving, total } = all.workers
    const servers = all.gateways === 1 ? '1 server' : `${all.gateways} servers`
    return `${gateway_url}, ${serving} of ${total} workers serving on ${servers}, ${all.in_flight} requests now`
  }
  if (address === null) return 'This server runs no gateway.'
  const serving = workers.filter(({ state }) => state === 'serving').length
  const noun = workers.length === 1 ? 'worker' : 'workers'
  const count = serving === workers.length ? serving : `${serving} of ${workers.length}`
  const revision = published_revision === null ? '' : `, configuration ${published_revision}`
  return `${gateway_url}, ${count} ${noun} serving${revision}`
}
