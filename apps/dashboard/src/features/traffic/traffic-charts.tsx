import { SimpleGrid } from '@mantine/core'
import type { TrafficAnswer } from '@gatehouse/contract'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { requestsAddress } from '../../entities/requests-address.ts'
import { useCan } from '../../lib/session/session.tsx'
import { TimeChart } from '../../ui/chart/time-chart.tsx'
import { formatCount, formatMoment, formatMs } from './format-figures.ts'

const names = { answered: 'Passed', refused: 'Refused (4xx)', failed: 'Errors (5xx)' } as const

interface TrafficChartsProps {
  traffic: TrafficAnswer
  /** The API that the figures are of; all of them unless given. */
  apiId?: number | undefined
}

/** A request is counted when its worker reports it, which is once a second: it may have begun in the span before. */
const lateMs = 2_000

/** Leads from a point of a chart to the requests of its span and class. For users who may see logs. */
function usePickRequests({ traffic: { series, step_seconds }, apiId }: TrafficChartsProps) {
  const can = useCan()
  const navigate = useNavigate()
  if (!can('log.view')) return undefined
  return (at: number, picked: string | undefined) => {
    const beginMs = Date.parse(series[at]?.at ?? '')
    if (Number.isNaN(beginMs)) return
    const from = new Date(beginMs - lateMs).toISOString()
    const to = new Date(beginMs + step_seconds * 1_000).toISOString()
    const [status] = Object.entries(names).find(([, name]) => name === picked) ?? []
    const ofApi = apiId === undefined ? {} : { api: apiId }
    const ofStatus = status === undefined ? {} : { status }
    void navigate(requestsAddress({ from, to, ...ofApi, ...ofStatus }))
  }
}

/** How requests ended, and how long answers took. One cross-hair goes through both. */
export function TrafficCharts({ traffic, apiId }: TrafficChartsProps) {
  const [at, setAt] = useState<number | null>(null)
  const { series, totals, range } = traffic
  const pick = usePickRequests({ traffic, apiId })
  const shared = {
    moments: series.map((point) => formatMoment(point.at, range)),
    at,
    onAt: setAt,
    ...(pick ? { onPick: pick } : {}),
  }
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <TimeChart
        {...shared}
        title="Requests"
        kind="bars"
        smallestStep={1}
        format={(count) => formatCount(count ?? 0)}
        summary={`Requests of the last ${range}: ${totals.requests}, ${totals.refused} of them refused, ${totals.errors} with errors`}
        series={[
          {
            name: names.answered,
            color: 'var(--mantine-color-petrol-5)',
            values: series.map(({ requests, refused, errors }) =>
              Math.max(0, requests - refused - errors),
            ),
          },
          {
            name: names.refused,
            color: 'var(--mantine-color-orange-5)',
            values: series.map(({ refused }) => refused),
          },
          {
            name: names.failed,
            color: 'var(--mantine-color-red-7)',
            values: series.map(({ errors }) => errors),
          },
        ]}
      />
      <TimeChart
        {...shared}
        title="Time to answer"
        kind="lines"
        format={formatMs}
        summary={`Time to answer in the last ${range}: p50 ${formatMs(totals.p50)}, p95 ${formatMs(totals.p95)}, p99 ${formatMs(totals.p99)}`}
        series={[
          {
            name: 'p50',
            color: 'var(--mantine-color-petrol-5)',
            values: series.map(({ p50 }) => p50),
          },
          {
            name: 'p95',
            color: 'var(--mantine-color-orange-6)',
            values: series.map(({ p95 }) => p95),
          },
          {
            name: 'p99',
            color: 'var(--mantine-color-red-7)',
            values: series.map(({ p99 }) => p99),
          },
        ]}
      />
    </SimpleGrid>
  )
}
