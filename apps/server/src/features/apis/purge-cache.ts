import { randomUUID } from 'node:crypto'
import { withPurge, type CachePurge } from '@gatehouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { Actor } from '../../kernel/caller.ts'
import type { InTransaction } from '../../stores.ts'

/** Settles when every worker has dropped what was kept, as after any change of the configuration. */
export async function purgeCache(
  inTransaction: InTransaction,
  apiId: number,
  purge: Omit<CachePurge, 'id'>,
  actor: Actor,
): Promise<void> {
  await inTransaction(async ({ apis, audit, revisions }) => {
    const api = await apis.lock(apiId)
    if (!api) throw new AppError('api.not_found')
    await apis.setPurges(apiId, withPurge(api.cache_purges, { id: randomUUID(), ...purge }))
    await audit.record(actor, {
      action: 'api.purge_cache',
      thing: 'api',
      id: apiId,
      name: api.name,
      after: purge,
    })
    await revisions.bump()
  }, actor.caller)
}
