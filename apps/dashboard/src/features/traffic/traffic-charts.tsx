import { AreaChart, LineChart } from '@mantine/charts'
import '@mantine/charts/styles.layer.css'
import { SimpleGrid, Text } from '@mantine/core'
import type { TrafficAnswer } from '@gatehouse/contract'
import { formatCount, formatMoment, formatMs } from './format-figures.ts'

const heightPx = 200
/** A picture for the eye: the figures beside it are what others read. */
const notInTabOrder = { accessibilityLayer: false }

/** Requests and errors, and how long answers took. The figures beside it show the same. */
export function TrafficCharts({ traffic }: { traffic: TrafficAnswer }) {
  const points = traffic.series.map((point) => ({
    ...point,
    time: formatMoment(point.at, traffic.range),
  }))
  const shared = {
    h: heightPx,
    data: points,
    dataKey: 'time',
    curveType: 'monotone',
    withDots: false,
    withLegend: true,
    legendProps: { verticalAlign: 'bottom' },
    xAxisProps: { minTickGap: 40 },
  } as const
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" aria-hidden>
      <div>
        <Text size="sm" c="dimmed" mb={4}>
          Requests
        </Text>
        <AreaChart
          {...shared}
          valueFormatter={formatCount}
          areaChartProps={notInTabOrder}
          yAxisProps={{ width: 48, allowDecimals: false }}
          series={[
            { name: 'requests', label: 'Requests', color: 'petrol.5' },
            { name: 'errors', label: 'Errors', color: 'red.7' },
          ]}
        />
      </div>
      <div>
        <Text size="sm" c="dimmed" mb={4}>
          Time to answer
        </Text>
        <LineChart
          {...shared}
          connectNulls={false}
          valueFormatter={formatMs}
          lineChartProps={notInTabOrder}
          yAxisProps={{ width: 64 }}
          series={[
            { name: 'p50', label: 'half within', color: 'petrol.5' },
            { name: 'p95', label: '95 % within', color: 'orange.6' },
            { name: 'p99', label: '99 % within', color: 'red.7' },
          ]}
        />
      </div>
    </SimpleGrid>
  )
}
