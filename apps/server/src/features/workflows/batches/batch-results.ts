import { decidingStep } from '../../runs/ledger/run-state.ts'
import { csvLine } from '../../../kernel/csv.ts'
import type { BatchStore } from './batch-store.ts'

const pageSize = 500

const columns = [
  'line',
  'run_id',
  'reference',
  'state',
  'outcome',
  'status',
  'message',
  'authority_reference',
  'qr',
  'finished_at',
] as const

type Result = Record<(typeof columns)[number], string | number | null>

/** One line per input, in the order of the upload; the latest run of an input that was retried. */
export async function* resultsOf(
  batches: BatchStore,
  batchId: number,
  format: 'csv' | 'ndjson',
): AsyncGenerator<Uint8Array> {
  if (format === 'csv') yield Buffer.from(csvLine(columns))
  for (let line = 0; ;) {
    const results = await pageOf(batches, batchId, line)
    const last = results.at(-1)
    if (!last) return
    const lines = results.map((result) =>
      format === 'csv'
        ? csvLine(columns.map((column) => result[column]))
        : `${JSON.stringify(result)}\n`,
    )
    yield Buffer.from(lines.join(''))
    line = Number(last.line)
  }
}

async function pageOf(batches: BatchStore, batchId: number, after: number): Promise<Result[]> {
  const runs = await batches.listResults(batchId, after, pageSize)
  const ids = runs.map(({ id }) => id)
  if (ids.length === 0) return []
  const steps = Map.groupBy(await batches.listSteps(ids), ({ run_id }) => run_id)
  const documents = new Map(
    (await batches.listDocuments(ids)).map((document) => [document.run_id, document]),
  )
  return runs.map((run) => {
    const own = steps.get(run.id) ?? []
    const step = decidingStep(own) ?? own.at(-1)
    const document = documents.get(run.id)
    return {
      line: run.batch_line,
      run_id: run.id,
      reference: run.reference,
      state: run.state,
      outcome: step?.outcome ?? null,
      status: step?.status ?? null,
      message: step?.message ?? null,
      authority_reference: document?.authority_reference ?? null,
      qr: document?.qr ?? null,
      finished_at: run.finished_at,
    }
  })
}
