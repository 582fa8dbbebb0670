import {
  checkAgentToken,
  seeApiTools,
  tryChangedApi,
  tryChangedEndpoint,
  tryEndpoint,
  tryNewApi,
  tryNewEndpoint,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import type { GatewayLink } from '../../publishing/gateway-link.ts'
import { checkAgentToken as checkToken } from './agent-token-check.ts'
import type { SeenToolLists } from './seen-tools.ts'
import type { TryItService } from './try-it-service.ts'
import type { UnsavedApiTrials } from './unsaved-api-trials.ts'

export function tryItRoutes(
  app: FastifyInstance,
  tryIt: TryItService,
  unsavedApis: UnsavedApiTrials,
  seenTools: SeenToolLists,
  gateway: GatewayLink | undefined,
): void {
  mount(app, checkAgentToken, ({ body }, { signal }) => checkToken(gateway, body.token, signal))
  mount(app, seeApiTools, ({ params, body }, context) =>
    seenTools.see(params.id, body.as_role, context, context.signal),
  )
  mount(app, tryEndpoint, ({ params, body }, context) =>
    tryIt.send(params.id, body, context, context.signal),
  )
  mount(app, tryNewEndpoint, ({ body }, context) =>
    tryIt.sendUnsaved(null, body, context, context.signal),
  )
  mount(app, tryChangedEndpoint, ({ params, body }, context) =>
    tryIt.sendUnsaved(params.id, body, context, context.signal),
  )
  mount(app, tryNewApi, ({ body }, context) => unsavedApis.send(null, body, context))
  mount(app, tryChangedApi, ({ params, body }, context) =>
    unsavedApis.send(params.id, body, context),
  )
}
