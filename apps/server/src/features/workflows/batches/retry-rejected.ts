import { createHash } from 'node:crypto'
import { parseExact, stringifyExact } from '@gatehouse/contract/mapping'
import type { Stores } from '../../../stores.ts'
import { orderKeyOf } from '../runs/runnable.ts'
import { storedLimits, type InputRules } from '../runs/stored-rules.ts'
import { chunkSize, insertGroups, insertLines, type LineBase } from './batch-lines.ts'
import { groupOf } from './inputs/grouped-inputs.ts'
import type { BatchKind } from './inputs/latest-inputs.ts'

/**
 * Queues some of the rejected inputs of a batch again, in runs that are linked to the old ones. Returns
 * how many inputs; 0: none is left.
 */
export async function retryRejected(
  stores: Stores,
  batch: BatchKind,
  base: LineBase,
  rules: InputRules,
): Promise<number> {
  return batch.inputs_per_run === 1
    ? retryRuns(stores, base, rules)
    : retryInputs(stores, batch, base)
}

async function retryRuns(stores: Stores, base: LineBase, rules: InputRules): Promise<number> {
  const runs = await stores.batches.listToRetry(base.batchId, 'rejected', chunkSize)
  const lines = runs.map((run) => ({
    line: run.batch_line ?? 0,
    text: run.input,
    reference: run.reference,
    orderKey: orderKeyOf(rules, run.input),
    contentHash: run.content_sha256 ?? '',
    retryOf: run.id,
  }))
  const ids = lines.length === 0 ? [] : await insertLines(stores, base, lines)
  await stores.batches.markRetried(runs.map(({ id }, index) => ({ id, by: ids[index] ?? 0 })))
  return lines.length
}

/** What was rejected of a run goes in one run again. What was accepted of it is never sent again. */
async function retryInputs(stores: Stores, batch: BatchKind, base: LineBase): Promise<number> {
  const atOnce = Math.max(1, Math.floor(chunkSize / batch.inputs_per_run))
  const rejected = await stores.batches.listRejected(batch, atOnce)
  const runs = await stores.batches.listWithInputs([...new Set(rejected.map(({ id }) => id))])
  const groups = runs.map((run) => {
    const inputs = parseExact(run.input, storedLimits)
    const lines = rejected
      .filter(({ id }) => id === run.id)
      .map(({ batch_line: line, reference, position }) => {
        const text = stringifyExact(Array.isArray(inputs) ? (inputs[position] ?? null) : null)
        const contentHash = createHash('sha256').update(text).digest('hex')
        return { line, text, reference, orderKey: null, contentHash }
      })
    return { ...groupOf(lines), retryOf: run.id }
  })
  const ids = groups.length === 0 ? [] : await insertGroups(stores, base, groups)
  const pairs = runs.map(({ id, state }, index) => ({ id, state, by: ids[index] ?? 0 }))
  // Of any other run something is still to be decided.
  await stores.batches.markRetried(
    pairs.filter(({ state }) => state === 'rejected' || state === 'partial'),
  )
  return rejected.length
}
