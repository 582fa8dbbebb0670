import type { HttpUpstream, ProcedureUpstream } from '@gatehouse/upstream'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Clock } from '../../kernel/clock.ts'
import type { GatewayLink } from '../../publishing/gateway-link.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { ConnectionService, type ConnectionServiceOptions } from './connection-service.ts'
import { ContractService } from './contract-service.ts'
import { watchForDrift } from './drift-watch.ts'
import { createRunUpstream } from './procedure-exchange.ts'
import { procedureRoutes } from './procedure-routes.ts'

export interface ProceduresOptions extends Pick<
  ConnectionServiceOptions,
  'passwordOf' | 'isMoved'
> {
  stores: Stores
  inTransaction: InTransaction
  clock: Clock
  log: Logger
  procedures: ProcedureUpstream
  /** Carries the calls of runs that are not for stored procedures. */
  http: HttpUpstream
}

export function createProcedures(options: ProceduresOptions) {
  const { stores, inTransaction, clock, log, procedures, http, passwordOf, isMoved } = options
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
  return {
    contracts,
    /** What runs send through: HTTP and stored procedures alike. */
    upstream: createRunUpstream({
      ...database,
      http,
      observe: (apiId, answered) => contracts.observe(apiId, answered),
    }),
    /** Compares what the workers of the gateway see of procedures with the contracts. */
    watch: (gateway: GatewayLink | undefined) => {
      gateway?.onProcedureSeen((apiId, seen) => {
        contracts.observe(apiId, seen).catch((error: unknown) => {
          log.error({ err: error, api_id: apiId }, 'the contract lock could not compare')
        })
      })
    },
    /** Mounts the calls; while the server listens, procedures are checked for drift. */
    mountOn: (app: FastifyInstance) => {
      procedureRoutes(app, connections, contracts)
      watchForDrift(app, contracts, clock, log)
    },
  }
}
