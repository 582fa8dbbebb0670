import type { RowChange } from '../../db/tables.ts'
import type { Tried } from './send-delivery.ts'

/** A receiver that does not take a delivery for that long gets it no more. */
export const giveUpAfterMs = 24 * 3_600_000

const hourMs = 3_600_000
const pausesMs = [5_000, 30_000, 120_000, 600_000, 1_800_000]
/** The longest wait that a receiver can ask for. */
const askedMaxMs = 2 * hourMs

/** How long to wait after so many tries; `random` from 0 to 1 varies it by a tenth. */
function pauseMs(tries: number, random: number): number {
  const plain = pausesMs[tries - 1] ?? hourMs
  return Math.round(plain * (0.9 + random * 0.2))
}

interface TriedRow {
  tries: number
  give_up_at: string
}

/** What a try changes of its delivery. The last try is at the moment of giving up, or the first after it. */
export function afterTry(
  row: TriedRow,
  tried: Exclude<Tried, { what: 'aborted' }>,
  at: Date,
  random = Math.random(),
): RowChange<'delivery'> {
  const tries = row.tries + 1
  const now = at.toISOString()
  const { status } = tried
  if (tried.what === 'delivered')
    return { tries, state: 'delivered', last_status: status, last_error: null, ended_at: now }
  const failed = { tries, last_status: status, last_error: tried.error }
  if (tried.isFinal || now >= row.give_up_at) return { ...failed, state: 'dead', ended_at: now }
  const ownMs = at.getTime() + pauseMs(tries, random)
  const askedMs = tried.notBefore ? Date.parse(tried.notBefore) : 0
  const nextMs = Math.max(ownMs, Math.min(askedMs, at.getTime() + askedMaxMs))
  const next = new Date(nextMs).toISOString()
  return { ...failed, next_try_at: next < row.give_up_at ? next : row.give_up_at }
}
