import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { GatewayStatus } from '@gatehouse/contract'
import { trafficQueries } from './traffic-queries.ts'

/** Whether the gateway serves, and on which configuration; GatewayBanner says why not on a newer one. */
export function GatewayLine() {
  const { data: gateway } = useQuery(trafficQueries.gateway())
  if (!gateway) return null
  return (
    <Text size="sm" c="dimmed">
      {describeGateway(gateway)}
    </Text>
  )
}

function describeGateway({ address, gateway_url, workers, published_revision }: GatewayStatus) {
  if (address === null) return 'This server runs no gateway.'
  const serving = workers.filter(({ state }) => state === 'serving').length
  const noun = workers.length === 1 ? 'worker' : 'workers'
  const count = serving === workers.length ? serving : `${serving} of ${workers.length}`
  const revision = published_revision === null ? '' : `, configuration ${published_revision}`
  return `${gateway_url}, ${count} ${noun} serving${revision}`
}
