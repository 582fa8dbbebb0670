import type { InTransaction } from '../../stores.ts'

const dayMs = 86_400_000
/** Deliveries that were received or cancelled are kept for 30 days, dead ones for 90. */
const kept = [
  { states: ['delivered', 'cancelled'], days: 30 },
  { states: ['dead'], days: 90 },
] as const
const atOnce = 1_000

/** Removes deliveries that ended long ago. */
export async function removeOld(inTransaction: InTransaction, at: Date): Promise<void> {
  for (const { states, days } of kept) {
    const before = new Date(at.getTime() - days * dayMs).toISOString()
    const remove = () =>
      inTransaction(({ deliveries }) => deliveries.removeEnded(states, before, atOnce))
    while ((await remove()) === atOnce);
  }
}
