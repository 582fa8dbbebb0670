import type { FastifyInstance } from 'fastify'
import type { ReadAuthorityLists } from '../../kernel/authority-lists.ts'
import { listsSince } from './authority-lists.ts'
import { ReconciliationKeeper } from './reconciliation-keeper.ts'
import { reconciliationRoutes } from './reconciliation-routes.ts'
import { ReconciliationService } from './reconciliation-service.ts'

type Options = ConstructorParameters<typeof ReconciliationKeeper>[0]

/** Wires the comparisons of the ERP, the ledger and the authority. */
export function createReconciliationFeature(options: Options) {
  const keeper = new ReconciliationKeeper(options)
  const service = new ReconciliationService({ ...options, keeper })
  const readAuthorityLists: ReadAuthorityLists = (since) => listsSince(options, since)
  return {
    keeper,
    readAuthorityLists,
    mountOn: (app: FastifyInstance) => reconciliationRoutes(app, service),
  }
}
