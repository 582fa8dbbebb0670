import { setImmediate as nextTurn } from 'node:timers/promises'
import { allOf } from '../../../db/all-of.ts'
import type { Actor } from '../../../kernel/caller.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import { deadlineOf, type Runnable } from '../runs/runnable.ts'
import { lockNumber } from '../../runs/ledger/idempotency.ts'
import { orderLock } from '../../runs/ledger/leave-lane.ts'
import type { RunTrace, TraceFor } from '../../runs/ledger/reading/run-trace.ts'
import { queuedRunRow, type NewQueuedRun } from '../../runs/ledger/queue-run.ts'
import type { GoodInput } from './inputs/checked-inputs.ts'
import type { InputGroup } from './inputs/grouped-inputs.ts'

/** What all runs of a batch have in common. */
export interface LineBase extends Pick<
  NewQueuedRun,
  'workflow' | 'isTest' | 'user' | 'requestId' | 'deadlineAt'
> {
  batchId: number
  now: string
  /** The trace of one more of its runs. */
  newTrace: () => RunTrace | null
}

interface NewLine extends GoodInput {
  /** The run that this one repeats. */
  retryOf?: number
}

/** What the runs of a batch that starts now have in common. */
export function lineBase(
  runnable: Runnable,
  isTest: boolean,
  actor: Actor,
  { now, traceFor }: { now: Date; traceFor: TraceFor },
): Omit<LineBase, 'batchId'> {
  const { id, version, slug, kind, lane_id: laneId } = runnable
  const { caller, requestId } = actor
  return {
    workflow: { id, version, slug, kind, laneId },
    isTest,
    user: caller.user,
    requestId,
    deadlineAt: deadlineOf(runnable, now),
    now: now.toISOString(),
    newTrace: () => traceFor(actor),
  }
}

/** Runs that one transaction changes: tens of milliseconds. */
export const chunkSize = 100

/**
 * Inputs that one transaction stores. They are inserted together, so that this many take tens of
 * milliseconds too; fewer at once cost SQLite a third more.
 */
export const storedAtOnce = 500

/**
 * Stores the runs of some inputs of a batch. They wait in the lane until the batch is stored whole. Each
 * keeps its place among the runs with its order key. Returns the ids, in the order of the lines.
 */
export async function insertLines(
  stores: Stores,
  base: LineBase,
  lines: readonly NewLine[],
): Promise<number[]> {
  const { batches, lanes } = stores
  const { workflow, now } = base
  const lane = await lanes.find(workflow.laneId)
  if (!lane) throw new Error(`There is no lane ${workflow.laneId}.`)
  const keyOf = ({ orderKey }: GoodInput) => (lane.is_strict_order ? orderKey : null)
  const taken = await takenKeys(
    stores,
    workflow.laneId,
    lines.flatMap((line) => keyOf(line) ?? []),
  )
  const ids = await batches.reserveRunIds(lines.length)
  const runs = lines.map((line, index) => {
    const run = { ...base, ...newRun(base, line), trace: base.newTrace() }
    const row = queuedRunRow(run, { id: ids[index] ?? 0, scoped: null, now })
    return { ...row, retry_of: line.retryOf ?? null }
  })
  const entries = lines.map((line, index) => {
    const order_key = keyOf(line)
    const is_first = order_key === null || !taken.has(order_key) ? (1 as const) : (0 as const)
    if (order_key !== null) taken.add(order_key)
    return {
      run_id: ids[index] ?? 0,
      lane_id: workflow.laneId,
      priority: 1,
      state: 'waiting' as const,
      order_key,
      is_first,
      queued_at: now,
      next_try_at: null,
      deadline_at: base.deadlineAt,
      message: null,
    }
  })
  const inputs = lines.map(({ text }, index) => ({ run_id: ids[index] ?? 0, body: text }))
  await batches.insertRuns(runs, inputs, entries)
  return ids
}

/** The same for runs that take several inputs each: an input of them has a row of its own. */
export async function insertGroups(
  stores: Stores,
  base: LineBase,
  groups: readonly (InputGroup & { retryOf?: number })[],
): Promise<number[]> {
  const ids = await insertLines(stores, base, groups)
  const inputs = groups.flatMap((group, index) =>
    group.inputs.map(({ line, reference }, position) => {
      const place = { run_id: ids[index] ?? 0, position }
      return { batch_id: base.batchId, line, reference, ...place }
    }),
  )
  await stores.batches.placeInputs(inputs)
  return ids
}

function newRun({ batchId }: LineBase, { line, text, ...names }: GoodInput) {
  const batch = { id: batchId, line }
  return { inputText: text, ...names, key: undefined, priority: 1 as const, batch }
}

/** Under the locks of the keys, which a run that is queued at the same time takes too. */
async function takenKeys({ runs, batches }: Stores, laneId: number, keys: readonly string[]) {
  if (keys.length === 0) return new Set<string | null>()
  const locks = [...new Set(keys.map((key) => orderLock(laneId, key)))].toSorted((a, b) => a - b)
  await allOf(locks.map((lock) => runs.lock(lock)))
  return batches.listOrderKeys(laneId, [...new Set(keys)])
}

/** The lock of a batch: two requests that change it take turns. */
export const batchLock = (id: number) => lockNumber(`batch:${id}`)

/** Repeats a step of work, each in a transaction, until it returns 0. Others have their turn between. */
export async function untilDone(
  inTransaction: InTransaction,
  step: (stores: Stores) => Promise<number>,
): Promise<number> {
  let total = 0
  for (;;) {
    const done = await inTransaction(step)
    if (done === 0) return total
    total += done
    await nextTurn()
  }
}
