import { downloadLog, readLog } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import type { LogService } from './log-service.ts'

export function logRoutes(
  app: FastifyInstance,
  logs: LogService,
  otherServers: () => Promise<string[]>,
): void {
  mount(app, readLog, async ({ query }, context) => ({
    ...(await logs.read(query, context)),
    other_servers: await otherServers(),
  }))
  mount(app, downloadLog, ({ query }, context) => logs.download(query.file, context))
}
