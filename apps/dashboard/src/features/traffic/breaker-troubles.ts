import { useQuery } from '@tanstack/react-query'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import { trafficQueries } from './traffic-queries.ts'

/** Circuit breakers that are open, with the screen that names them. */
export function useBreakerTroubles() {
  const can = useCan()
  const { data } = useQuery({ ...trafficQueries.show('hour'), enabled: can('dashboard.view') })
  return [
    {
      key: 'breakers',
      label: 'Open circuit breakers',
      count: data?.open_breakers.length ?? 0,
      hint: 'The gateway refuses calls to these APIs.',
      color: 'red',
      to: paths.traffic,
      things: (data?.open_breakers ?? []).slice(0, 3).map(({ api_id, api, since }) => ({
        key: `breaker ${api_id}`,
        label: 'Circuit breaker open',
        color: 'red',
        name: api,
        since,
        to: paths.traffic,
        action: 'Look at it',
      })),
    },
  ]
}
