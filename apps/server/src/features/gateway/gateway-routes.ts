import { showGateway, type GatewayStatus, type GatewaySums } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'

export function gatewayRoutes(
  app: FastifyInstance,
  status: () => Promise<Omit<GatewayStatus, 'gateway_url' | 'all_servers'>>,
  sumGateways: () => Promise<GatewaySums>,
  gatewayUrl: string,
): void {
  mount(app, showGateway, async () => ({
    ...(await status()),
    all_servers: await sumGateways(),
    gateway_url: gatewayUrl,
  }))
}
