import {
  acceptProcedureDrift,
  checkProcedureContract,
  runSample,
  runStoredSample,
  showProcedureContract,
  testConnection,
  testStoredConnection,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import type { ConnectionService } from './connection-service.ts'
import type { ContractService } from './contract-service.ts'

export function procedureRoutes(
  app: FastifyInstance,
  connections: ConnectionService,
  contracts: ContractService,
): void {
  mount(app, testConnection, ({ body }, context) => connections.test(body, undefined, context))
  mount(app, testStoredConnection, ({ params, body }, context) =>
    connections.test(body, params.id, context),
  )
  mount(app, runSample, ({ body }, context) => connections.sample(body, undefined, context))
  mount(app, runStoredSample, ({ params, body }, context) =>
    connections.sample(body, params.id, context),
  )
  mount(app, showProcedureContract, ({ params }) => contracts.show(params.id))
  mount(app, checkProcedureContract, ({ params }) => contracts.check(params.id))
  mount(app, acceptProcedureDrift, ({ params }, context) => contracts.accept(params.id, context))
}
