import { refuseWithout } from '../kernel/caller.ts'
import type { InTransaction, Stores } from '../stores.ts'

/**
 * For services that take part in a transaction that has begun: their work joins it. The transaction has
 * checked its caller; here the caller is asked for what each change needs.
 */
export const withinTransaction =
  (stores: Stores): InTransaction =>
  async (work, caller) => {
    if (caller?.access) refuseWithout(caller, caller.access)
    return work(stores, Promise.resolve())
  }
