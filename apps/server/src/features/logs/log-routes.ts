import { downloadLog, readLog } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import type { LogService } from './log-service.ts'

export function logRoutes(app: FastifyInstance, logs: LogService): void {
  mount(app, readLog, ({ query }, context) => logs.read(query, context))
  mount(app, downloadLog, ({ query }, context) => logs.download(query.file, context))
}
