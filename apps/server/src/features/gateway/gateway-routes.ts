import { showGateway, type GatewayStatus } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'

export function gatewayRoutes(
  app: FastifyInstance,
  status: () => Promise<Omit<GatewayStatus, 'gateway_url'>>,
  gatewayUrl: string,
): void {
  mount(app, showGateway, async () => ({ ...(await status()), gateway_url: gatewayUrl }))
}
