import type { ProcedureAnswered, ProcedureUpstream } from '@gatehouse/upstream'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Row } from '../../db/tables.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { GatewayLink, SeenProcedure } from '../../publishing/gateway-link.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { ConnectionService, type ConnectionServiceOptions } from './connection-service.ts'
import { ContractService } from './contract-service.ts'
import { watchForDrift } from './drift-watch.ts'
import { procedureRoutes } from './procedure-routes.ts'
import { procedureTarget } from './procedure-target.ts'

interface ProceduresOptions extends Pick<ConnectionServiceOptions, 'passwordOf' | 'isMoved'> {
  stores: Stores
  inTransaction: InTransaction
  clock: Clock
  log: Logger
  procedures: ProcedureUpstream
}

export function createProcedures(options: ProceduresOptions) {
  const { stores, inTransaction, clock, log, procedures, passwordOf, isMoved } = options
  const database = { procedures, passwordOf, findApi: stores.apis.find }
  const contracts = new ContractService({
    ...database,
    store: stores.procedures,
    inTransaction,
    clock,
    log,
  })
  const connections = new ConnectionService({
    ...database,
    isMoved,
    record: (actor, action, apiId, name) =>
      stores.audit.record(actor, { action, thing: 'api', id: apiId ?? null, name }),
  })
  const compare = (apiId: number, seen: SeenProcedure) => {
    contracts.observe(apiId, seen).catch((error: unknown) => {
      log.error({ err: error, api_id: apiId }, 'the contract lock could not compare')
    })
  }
  return {
    contracts,
    /** Where runs call an API that is a stored procedure, with its password. */
    targetOf: (api: Row<'api'>, isReadOnlyRequired: boolean) =>
      procedureTarget(api, passwordOf(api), isReadOnlyRequired),
    /** Compares what runs see of a procedure with its contract. */
    observe: (apiId: string, answered: ProcedureAnswered) =>
      contracts.observe(Number(apiId), answered),
    /** Compares what the workers of the gateway see of procedures with the contracts. */
    watch: (gateway: GatewayLink | undefined) => gateway?.onProcedureSeen(compare),
    /** Compares what a gateway saw of a procedure with its contract. */
    compare,
    /** Mounts the calls; while the server listens, procedures are checked for drift. */
    mountOn: (app: FastifyInstance) => {
      procedureRoutes(app, connections, contracts)
      watchForDrift(app, contracts, clock, log)
    },
  }
}
