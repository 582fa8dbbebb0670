import { useQuery } from '@tanstack/react-query'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { useCan } from '../../lib/session/session.tsx'
import { trafficQueries } from './traffic-queries.ts'

const GatewayAlerts = lazyPart(async () => (await import('./gateway-alerts.tsx')).GatewayAlerts)

/** On every page while the gateway does not run on what is stored: why, and where to mend it. */
export function GatewayBanner() {
  const can = useCan()
  const { data: gateway } = useQuery({
    ...trafficQueries.gateway(),
    enabled: can('dashboard.view'),
  })
  const isWhole = !gateway || (!gateway.refusal && gateway.faults.length === 0)
  return !isWhole && <GatewayAlerts gateway={gateway} />
}
