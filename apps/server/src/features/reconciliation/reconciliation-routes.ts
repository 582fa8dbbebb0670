import {
  createReconciliation,
  deleteReconciliation,
  exportDifferences,
  listDifferences,
  listReconciliations,
  listResults,
  runReconciliation,
  showReconciliation,
  showResult,
  tryReconciledList,
  updateReconciliation,
} from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import { toPage } from '../../kernel/to-page.ts'
import type { ReconciliationService } from './reconciliation-service.ts'
import type { ReconciliationRow, ResultRow } from './reconciliation-store.ts'
import { shownReconciliation, shownResult } from './reconciliation-view.ts'

export function reconciliationRoutes(app: FastifyInstance, service: ReconciliationService): void {
  mount(app, listReconciliations, async ({ query }) =>
    toPage(await service.list(query), query, toRecord),
  )
  mount(app, createReconciliation, async ({ body }, context) => ({
    reconciliation: toRecord(await service.create(body, context)),
  }))
  mount(app, tryReconciledList, ({ body }, { caller, signal }) =>
    service.tryList(body.list, caller, signal),
  )
  mount(app, showReconciliation, async ({ params }) => ({
    reconciliation: toRecord(await service.get(params.id)),
  }))
  mount(app, updateReconciliation, async ({ params, body }, context) => ({
    reconciliation: toRecord(await service.update(params.id, body, context)),
  }))
  mount(app, deleteReconciliation, ({ params }, context) => service.remove(params.id, context))
  mount(app, runReconciliation, async ({ params, body }, context) => ({
    result: shownResult(await service.run(params.id, body, context)),
  }))
  mount(app, listResults, async ({ params, query }) =>
    toPage(await service.listResults(params.id, query), query, shownResult),
  )
  mount(app, showResult, async ({ params }) => {
    const { name, row } = await service.getResult(params.id, params.result)
    return { name, result: shownResult(row) }
  })
  mount(app, listDifferences, async ({ params, query }) =>
    toPage(
      await service.listLines(params.id, params.result, query),
      query,
      ({ result_id: _result, ...line }) => line,
    ),
  )
  mount(app, exportDifferences, async ({ params }) => {
    const { row } = await service.getResult(params.id, params.result)
    return {
      type: 'text/csv; charset=utf-8',
      name: `differences-${row.from_day}-${row.id}.csv`,
      body: service.exportLines(row.id),
    }
  })
}

const toRecord = ({ row, last }: { row: ReconciliationRow; last: ResultRow | undefined }) => ({
  ...shownReconciliation(row),
  last_result: last ? shownResult(last) : null,
})
