import type { ApiRecord } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { CallTargets, type CallTargetsOptions } from './call-targets.ts'
import { endpointRoutes } from './endpoint-routes.ts'
import { EndpointService } from './endpoint-service.ts'
import { refuseUnusableSchemas } from './validation/check-validation.ts'

interface EndpointsOptions extends Omit<CallTargetsOptions, 'endpoints' | 'findWorkflowAccess'> {
  stores: Stores
  inTransaction: InTransaction
  clock: Clock
  /** The choice list of APIs, which another feature owns. */
  listApis: () => Promise<ApiRecord[]>
}

export function createEndpoints(options: EndpointsOptions) {
  const { stores, inTransaction, readTogether, clock, listApis } = options
  const { callingOf, procedureTargetOf } = options
  const { endpoints, access } = stores
  const service = new EndpointService({
    endpoints,
    countHolders: access.countHolders,
    inTransaction,
    clock,
    checkValidation: refuseUnusableSchemas,
  })
  return {
    service,
    /** What runs and tries may call. */
    targets: new CallTargets({
      endpoints,
      findWorkflowAccess: access.findWorkflowAccess,
      readTogether,
      callingOf,
      procedureTargetOf,
    }),
    mountOn: (app: FastifyInstance) => endpointRoutes(app, service, listApis),
  }
}
