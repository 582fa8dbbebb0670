import { listGatewayRequests } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import type { LoneGateways } from './lone-gateways.ts'
import type { GatewayRequestService } from './gateway-request-service.ts'

interface Place {
  server: string
  otherServers: () => Promise<string[]>
  /** Undefined: there can be none. */
  lone: LoneGateways | undefined
}

export function gatewayRequestRoutes(
  app: FastifyInstance,
  requests: GatewayRequestService,
  { server, otherServers, lone }: Place,
): void {
  mount(app, listGatewayRequests, async ({ query }, context) => {
    const gateways = (await lone?.list()) ?? []
    const asked = gateways.find(({ id }) => id === query.server)
    return {
      server: asked?.name ?? server,
      gateways,
      other_servers: await otherServers(),
      ...(await requests.list(query, context)),
    }
  })
}
