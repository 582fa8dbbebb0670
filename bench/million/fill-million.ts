import type { DatabaseSource } from '../../apps/server/src/db/connect.ts'
import { dice, userNames } from '../runs/planned-run.ts'
import { filledTables, openBulkWriter } from './bulk-writer.ts'
import { figuresOf } from './figures-of-document.ts'
import {
  countDocuments,
  momentOf,
  rowsOf,
  stateOf,
  type Place,
  type PlannedRun,
  type Rows,
  type Span,
} from './plan-run.ts'
import type { Document } from './texts-of-document.ts'

type Workflow = NonNullable<Place['workflow']>

/** So many runs have the same place: in a batch, in a workflow, or of a screen. */
const blockSize = 500
const atOnce = 5_000

/**
 * Puts runs of the last days into a database without runs, with documents, inputs, frozen requests, answers
 * and batches; as many documents as runs. The same call gives the same data, but for the moments.
 */
export async function fillMillion(
  source: DatabaseSource,
  workflows: readonly Workflow[],
  span: Span,
): Promise<void> {
  const writer = await openBulkWriter(source)
  const plan = planner(workflows, span)
  for (let first = 0; first < span.runs; first += atOnce) {
    const rows: Rows = Object.fromEntries(filledTables.map((table) => [table, []]))
    for (let number = first; number < Math.min(span.runs, first + atOnce); number++)
      for (const [table, some] of Object.entries(plan(number))) rows[table]?.push(...some)
    await writer.write(rows)
  }
  await writer.finish()
}

/** Gives the rows of one run after the other. */
function planner(all: readonly Workflow[], span: Span) {
  const workflows = all.filter(({ kind }) => kind !== 'general')
  const general = all.find(({ kind }) => kind === 'general')
  let documents = 0
  let batches = 0
  let batch: Place['batch'] = null
  const invoices: string[] = []
  return (number: number): Rows => {
    const block = Math.floor(number / blockSize)
    const isBatch = dice(block, 50, 10) < 3
    const ofBatch = workflows[dice(block, 51, workflows.length)] ?? null
    const thrown = dice(number, 52, 100)
    const ofRun = thrown < 70 ? workflows[dice(number, 53, workflows.length)] : undefined
    const workflow = isBatch ? ofBatch : ((thrown < 5 ? general : ofRun) ?? null)
    const begins = isBatch && number % blockSize === 0
    if (begins) batches++
    batch = isBatch && workflow ? { id: batches, line: (number % blockSize) + 1 } : null
    const kind = workflow?.kind ?? (dice(number, 54, 8) === 0 ? 'credit' : 'tax')
    const at = momentOf(isBatch ? block * blockSize : number, span)
    const first = documents + 1
    const made = Array.from({ length: countDocuments(number, kind) }, () => {
      documents++
      return planDocument(documents, { isCredit: kind === 'credit', at }, invoices)
    })
    const state = stateOf(number, span, workflow !== null)
    const run: PlannedRun = { number, state, at, documents: made }
    const rows = rowsOf(run, { workflow, batch }, first)
    if (begins && workflow) rows.batch = [batchRow(batches, workflow, at, span.runs - number)]
    return rows
  }
}

function planDocument(
  number: number,
  { isCredit, at }: { isCredit: boolean; at: string },
  invoices: string[],
): Document {
  const reference = `${isCredit ? 'CRN' : 'INV'}-${at.slice(0, 4)}-${String(number).padStart(7, '0')}`
  const original = isCredit ? (invoices[dice(number, 55, invoices.length || 1)] ?? null) : null
  if (!isCredit) invoices[number % 5_000] = reference
  return { reference, original, isCredit, at, figures: figuresOf(number) }
}

const batchRow = (id: number, workflow: Workflow, at: string, left: number) => ({
  id,
  workflow_id: workflow.id,
  workflow_version: 1,
  user_id: 1,
  user_name: userNames[dice(id, 56, userNames.length)] ?? '',
  file_name: `${workflow.slug}-${at.slice(0, 10)}-${id}.csv`,
  total: Math.min(blockSize, left),
  content_sha256: String(id).padStart(64, '0'),
  created_at: at,
  is_settled: 1,
})
