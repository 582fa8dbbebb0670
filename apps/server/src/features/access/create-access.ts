import type { FastifyInstance } from 'fastify'
import type { Actor } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction } from '../../stores.ts'
import { accessRoutes } from './access-routes.ts'
import { AccessService, type AccessServiceOptions } from './access-service.ts'
import { ApiAccess } from './api-access.ts'
import { apiAccessRoutes } from './api-access-routes.ts'
import { AccessExplainer } from './explain-access.ts'

interface AccessOptions {
  inTransaction: InTransaction
  clock: Clock
  /** The roles feature decides which roles a caller can't change. */
  lockedFor: AccessServiceOptions['lockedFor']
  /** Takes a role from a user, which the users feature decides on. */
  removeRole: (userId: number, roleId: number, actor: Actor) => Promise<void>
}

export function createAccess({ inTransaction, clock, lockedFor, removeRole }: AccessOptions) {
  const service = new AccessService({ inTransaction, lockedFor })
  const explainer = new AccessExplainer(inTransaction, clock)
  const apiAccess = new ApiAccess(inTransaction, clock)
  return {
    service,
    mountOn: (app: FastifyInstance) => {
      accessRoutes(app, service, explainer, removeRole)
      apiAccessRoutes(app, apiAccess)
    },
  }
}
