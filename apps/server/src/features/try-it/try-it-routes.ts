import { tryChangedEndpoint, tryEndpoint, tryNewEndpoint } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import type { TryItService } from './try-it-service.ts'

export function tryItRoutes(app: FastifyInstance, tryIt: TryItService): void {
  mount(app, tryEndpoint, ({ params, body }, context) =>
    tryIt.send(params.id, body, context, context.signal),
  )
  mount(app, tryNewEndpoint, ({ body }, context) =>
    tryIt.sendUnsaved(null, body, context, context.signal),
  )
  mount(app, tryChangedEndpoint, ({ params, body }, context) =>
    tryIt.sendUnsaved(params.id, body, context, context.signal),
  )
}
