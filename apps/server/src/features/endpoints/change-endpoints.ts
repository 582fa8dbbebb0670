import type { BulkAnswer, EndpointBulkChange } from '@gatehouse/contract'
import { changedTags } from '../../db/tags.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Actor } from '../../kernel/caller.ts'
import { changeEach, hasDone, takeChosen } from '../../kernel/change-each.ts'
import type { Stores } from '../../stores.ts'
import { inUse } from './check-run-settings.ts'
import { toSubmittedEndpoint } from './endpoint-columns.ts'
import type { EndpointRow, EndpointWithApi } from './endpoint-store.ts'
import { refuseUsed } from './refuse-used.ts'

/** A refusal names at most this many runs. */
const runsNamedMax = 20

/** Changes several endpoints, all of this call in one transaction, with an audit event each and one new configuration. */
export async function changeEndpoints(
  stores: Stores,
  change: EndpointBulkChange,
  actor: Actor,
  now: string,
): Promise<BulkAnswer> {
  const { endpoints, revisions } = stores
  const { ids, next_after } = await takeChosen(change, endpoints.listIdsAfter)
  const results = await changeEach(ids, {
    find: endpoints.find,
    missing: 'endpoint.not_found',
    nameOf: ({ description }) => description,
    change: async (endpoint) => {
      if (change.action === 'delete') {
        await removeEndpoint(stores, endpoint, actor)
        return true
      }
      return updateEndpoint(
        stores,
        endpoint,
        { ...columnsOf(endpoint, change), updated_at: now },
        actor,
      )
    },
  })
  if (hasDone(results)) await revisions.bump()
  return { results, next_after }
}

function columnsOf(
  row: EndpointRow,
  change: EndpointBulkChange,
): Partial<Pick<EndpointRow, 'status' | 'tags' | 'authentication'>> {
  if (change.action === 'tag') return { tags: changedTags(row.tags, change) }
  if (change.action === 'require_token') return { authentication: 1 }
  return { status: change.action === 'enable' ? 'active' : 'disabled' }
}

async function updateEndpoint(
  { endpoints, audit }: Stores,
  before: EndpointWithApi,
  columns: ReturnType<typeof columnsOf> & { updated_at: string },
  actor: Actor,
): Promise<boolean> {
  const { status, tags, authentication } = { ...before, ...columns }
  const isSame = status === before.status && tags === before.tags
  if (isSame && authentication === before.authentication) return false
  await endpoints.update(before.id, before.version, columns)
  await audit.record(actor, {
    action: 'endpoint.update',
    thing: 'endpoint',
    id: before.id,
    name: before.summary,
    before: audited(before),
    after: audited({ ...before, ...columns }),
  })
  return true
}

/**
 * Deletes an endpoint and the access of roles to it. Throws a 409 while status queries or workflows call
 * it, or runs at it are not settled. The caller bumps the revision.
 */
export async function removeEndpoint(
  stores: Stores,
  before: EndpointWithApi,
  actor: Actor,
): Promise<void> {
  const { endpoints, runs, audit, deletions } = stores
  const { id } = before
  const askers = await endpoints.listAskers(id)
  if (askers.length > 0) throw inUse(askers)
  await refuseUsed(stores, id, actor.caller)
  const unsettled = await runs.listUnsettledOf(id, runsNamedMax)
  if (unsettled.count > 0) throw hasUnknownRuns(unsettled)
  const name = before.summary
  const shown = audited(before)
  await deletions.keep({ thing: 'endpoint', id, name, shown }, actor)
  await endpoints.remove(id)
  await audit.record(actor, {
    action: 'endpoint.delete',
    thing: 'endpoint',
    id,
    name,
    before: shown,
  })
}

/** No user could settle them afterwards: access goes with the endpoint. */
function hasUnknownRuns({ count, ids }: { count: number; ids: number[] }): AppError {
  const runs = count === 1 ? `run ${ids[0]}` : `${count} runs`
  return new AppError('endpoint.has_unknown_runs', {
    message: `The outcome of ${runs} at this endpoint is unknown. Resolve that first.`,
    extra: { run_ids: ids, count },
  })
}

/** As the form would send it, so that an earlier version can be brought back. */
export function audited(row: EndpointWithApi) {
  const { auth_type: _, ...submitted } = toSubmittedEndpoint(row)
  return { api: row.api_name, ...submitted }
}
