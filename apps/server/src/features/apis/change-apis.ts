import type { BulkAnswer, BulkChange } from '@gatehouse/contract'
import { changedTags } from '../../db/tags.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Actor } from '../../kernel/caller.ts'
import { changeEach, hasDone, takeChosen } from '../../kernel/change-each.ts'
import type { Stores } from '../../stores.ts'
import { toSubmittedApi } from './api-columns.ts'
import type { ApiRow } from './api-store.ts'

/** Changes several APIs, all of this call in one transaction, with an audit event each and one new configuration. */
export async function changeApis(
  stores: Stores,
  change: BulkChange,
  actor: Actor,
  now: string,
): Promise<BulkAnswer> {
  const { apis, revisions } = stores
  const { ids, next_after } = await takeChosen(change, apis.listIdsAfter)
  const results = await changeEach(ids, {
    find: apis.find,
    missing: 'api.not_found',
    nameOf: ({ name }) => name,
    change: async (api) => {
      if (change.action === 'delete') {
        await removeApi(stores, api, actor)
        return true
      }
      return updateApi(stores, api, { ...columnsOf(api, change), updated_at: now }, actor)
    },
  })
  if (hasDone(results)) await revisions.bump()
  return { results, next_after }
}

function columnsOf(
  api: ApiRow,
  change: BulkChange,
): Partial<Pick<ApiRow, 'gateway_status' | 'tags'>> {
  if (change.action === 'tag') return { tags: changedTags(api.tags, change) }
  return { gateway_status: change.action === 'enable' ? 'active' : 'disabled' }
}

async function updateApi(
  { apis, audit }: Stores,
  api: ApiRow,
  columns: ReturnType<typeof columnsOf> & { updated_at: string },
  actor: Actor,
): Promise<boolean> {
  const { gateway_status = api.gateway_status, tags = api.tags } = columns
  if (gateway_status === api.gateway_status && tags === api.tags) return false
  const updated = await apis.update(api.id, api.version, columns)
  await audit.record(actor, {
    action: 'api.update',
    thing: 'api',
    id: api.id,
    name: api.name,
    before: toSubmittedApi(api),
    after: toSubmittedApi(updated),
  })
  return true
}

/** Deletes an API that has no endpoints. The caller bumps the revision. */
export async function removeApi(
  { apis, audit, deletions }: Stores,
  api: ApiRow,
  actor: Actor,
): Promise<void> {
  const count = await apis.countEndpoints(api.id)
  if (count > 0) {
    const endpoints = count === 1 ? '1 endpoint' : `${count} endpoints`
    throw new AppError('api.has_endpoints', {
      message: `This API still has ${endpoints}. Delete them first.`,
    })
  }
  const { id, name } = api
  const before = toSubmittedApi(api)
  await deletions.keep({ thing: 'api', id, name, shown: before }, actor)
  await apis.remove(id)
  await audit.record(actor, { action: 'api.delete', thing: 'api', id, name, before })
}
