import { listGatewayRequests } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import type { GatewayRequestService } from './gateway-request-service.ts'

interface Place {
  server: string
  otherServers: () => Promise<string[]>
  recordsAll: boolean
}

export function gatewayRequestRoutes(
  app: FastifyInstance,
  requests: GatewayRequestService,
  { server, otherServers, recordsAll }: Place,
): void {
  mount(app, listGatewayRequests, async ({ query }, context) => ({
    server,
    other_servers: await otherServers(),
    records_all: recordsAll,
    ...(await requests.list(query, context)),
  }))
}
