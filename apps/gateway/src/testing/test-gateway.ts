import type { ConfigSnapshot } from '@gatehouse/contract/gateway'
import { onTestFinished } from 'vitest'
import { createGateway } from '../gateway.ts'
import type { Gateway, GatewayOptions } from '../gateway.ts'
import { workerDefaults } from '../messages/worker-settings.ts'
import { bareWorker } from './bare-worker.ts'

interface TestGateway extends Gateway {
  port: number
  url: string
}

/** The tests run with both servers: see the projects `gateway` and `gateway-node` of vitest.config.ts. */
export const testedServer = process.env['GATEHOUSE_TEST_HTTP_SERVER'] === 'node' ? 'node' : 'http1'

export const traceSecret = 'a secret of this test'

/** A gateway on a free loopback port with this snapshot, until the test is over. */
export async function startGateway(
  snapshot: ConfigSnapshot,
  options: Partial<GatewayOptions> = {},
): Promise<TestGateway> {
  const gateway = createTestGateway(options)
  await gateway.prepare(snapshot)
  const swapped = gateway.swap(snapshot)
  if (!swapped.ok) throw new Error(swapped.reason)
  const port = await gateway.listen({ host: '127.0.0.1', port: 0 })
  return Object.assign(gateway, { port, url: `http://127.0.0.1:${port}` })
}

export function createTestGateway(options: Partial<GatewayOptions> = {}): Gateway {
  const gateway = createGateway({
    ...bareWorker,
    httpServer: testedServer,
    internalNetworks: [...workerDefaults.internalNetworks],
    traceSecret,
    ...options,
  })
  onTestFinished(() => gateway.close())
  return gateway
}
