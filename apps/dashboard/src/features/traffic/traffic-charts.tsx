import { SimpleGrid } from '@mantine/core'
import type { TrafficAnswer } from '@gatehouse/contract'
import { useState } from 'react'
import { TimeChart } from '../../ui/time-chart.tsx'
import { formatCount, formatMoment, formatMs } from './format-figures.ts'

/** How requests ended, and how long answers took. One cross-hair goes through both. */
export function TrafficCharts({ traffic }: { traffic: TrafficAnswer }) {
  const [at, setAt] = useState<number | null>(null)
  const { series, totals, range } = traffic
  const shared = { moments: series.map((point) => formatMoment(point.at, range)), at, onAt: setAt }
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
            name: 'Passed',
            color: 'var(--mantine-color-petrol-5)',
            values: series.map(({ requests, refused, errors }) =>
              Math.max(0, requests - refused - errors),
            ),
          },
          {
            name: 'Refused (4xx)',
            color: 'var(--mantine-color-orange-5)',
            values: series.map(({ refused }) => refused),
          },
          {
            name: 'Errors (5xx)',
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
