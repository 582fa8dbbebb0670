import type { BatchLine } from '@gatehouse/contract'
import { decidingStep } from '../../runs/ledger/run-state.ts'
import { csvLine } from '../../../kernel/text/csv.ts'
import type { BatchStore } from './batch-store.ts'
import type { BatchKind, LatestInput } from './inputs/latest-inputs.ts'

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

type Result = BatchLine & { authority_reference: string | null; qr: string | null }

/** One line per input, in the order of the upload; the latest run of an input that was retried. */
export async function* resultsOf(
  batches: BatchStore,
  batch: BatchKind,
  format: 'csv' | 'ndjson',
): AsyncGenerator<Uint8Array> {
  if (format === 'csv') yield Buffer.from(csvLine(columns))
  for (let line = 0; ;) {
    const results = await pageOf(batches, batch, line)
    const last = results.at(-1)
    if (!last) return
    const lines = results.map((result) =>
      format === 'csv'
        ? csvLine(columns.map((column) => result[column]))
        : `${JSON.stringify(result)}\n`,
    )
    yield Buffer.from(lines.join(''))
    line = last.line
  }
}

async function pageOf(batches: BatchStore, batch: BatchKind, after: number): Promise<Result[]> {
  const runs = await batches.listResults(batch, after, pageSize)
  const lines = await linesOf(batches, runs)
  const ids = runs.map(({ id }) => id)
  const found = ids.length === 0 ? [] : await batches.listDocuments(ids)
  // A run of one input may carry its document under another name.
  const nameOf = (runId: number, reference: string | null) =>
    batch.inputs_per_run === 1 ? String(runId) : `${runId} ${reference}`
  const documents = new Map(
    found.map((document) => [nameOf(document.run_id ?? 0, document.reference), document]),
  )
  return lines.map((line) => {
    const document = documents.get(nameOf(line.run_id, line.reference))
    const authority_reference = document?.authority_reference ?? null
    return { ...line, authority_reference, qr: document?.qr ?? null }
  })
}

/** What became of the inputs that these runs carry. */
export async function linesOf(
  batches: BatchStore,
  runs: readonly LatestInput[],
): Promise<BatchLine[]> {
  const ids = runs.map(({ id }) => id)
  if (ids.length === 0) return []
  const steps = Map.groupBy(await batches.listSteps(ids), ({ run_id }) => run_id)
  return runs.map(({ id, batch_line, reference, state, finished_at, document_message }) => {
    const own = steps.get(id) ?? []
    const step = decidingStep(own) ?? own.at(-1)
    return {
      line: batch_line,
      run_id: id,
      reference,
      state,
      outcome: step?.outcome ?? null,
      status: step?.status ?? null,
      message: document_message ?? step?.message ?? null,
      finished_at,
    }
  })
}
