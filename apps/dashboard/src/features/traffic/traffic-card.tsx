import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { TrafficAnswer } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'
import { requestsAddress } from '../../entities/requests-address.ts'
import { useCan } from '../../lib/session/session.tsx'
import { Figures } from '../../ui/chart/figures.tsx'
import { NumberLink } from '../../entities/number-link.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { Sparkline } from '../../ui/chart/sparkline.tsx'
import { formatCount, formatMoment, formatMs, formatShare } from './format-figures.ts'
import { OpenBreakers } from './open-breakers.tsx'
import { trafficQueries } from './traffic-queries.ts'

const series = [
  { name: 'answered', color: 'petrol.5' },
  { name: 'errors', color: 'red.7' },
]

/** On the dashboard's home: the last hour of the gateway in a line. */
export function TrafficCard() {
  const query = useQuery(trafficQueries.show('hour'))
  return (
    <Panel
      id="traffic"
      title="Gateway traffic"
      subtitle="The last hour, minute by minute."
      more={{ label: 'All figures', to: paths.traffic }}
    >
      <QueryLoader query={query} failureText="The traffic could not be loaded.">
        {(traffic) => (
          <Stack gap="sm">
            <OpenBreakers breakers={traffic.open_breakers} />
            {traffic.totals.requests === 0 ? (
              <Text size="sm" c="dimmed">
                No requests in the last hour.
              </Text>
            ) : (
              <Hour traffic={traffic} />
            )}
          </Stack>
        )}
      </QueryLoader>
    </Panel>
  )
}

function Hour({ traffic: { series: points, totals } }: { traffic: TrafficAnswer }) {
  const { requests, errors, refused, p95 } = totals
  const can = useCan()
  const from = points[0]?.at ?? ''
  const requestsOf = (status?: string) =>
    can('log.view') ? requestsAddress({ from, ...(status === undefined ? {} : { status }) }) : null
  return (
    <Stack gap="sm">
      <Sparkline
        heightPx={48}
        series={series}
        bars={points.map((point) => ({
          label: formatMoment(point.at, 'hour'),
          values: [point.requests - point.errors, point.errors],
        }))}
        summary={`Last hour: ${formatCount(requests)} requests, ${formatCount(errors)} errors`}
      />
      <Figures
        figures={[
          {
            name: 'Requests',
            value: <NumberLink to={requestsOf()}>{formatCount(requests)}</NumberLink>,
          },
          {
            name: `Errors, ${formatShare(errors, requests)}`,
            value: <NumberLink to={requestsOf('failed')}>{formatCount(errors)}</NumberLink>,
          },
          {
            name: 'Refused (4xx)',
            value: <NumberLink to={requestsOf('refused')}>{formatCount(refused)}</NumberLink>,
          },
          { name: 'p95', value: <NumberLink to={paths.traffic}>{formatMs(p95)}</NumberLink> },
        ]}
      />
    </Stack>
  )
}
