import type {
  AccessChange,
  AccessDifference,
  AccessEndpoint,
  AccessWorkflow,
} from '@gatehouse/contract'
import { fieldError } from '../../kernel/app-error.ts'
import type { Stores } from '../../stores.ts'
import { existingRole, type EndpointSummary } from './audited-access.ts'

/** How many endpoints of a change are described; the counts are of all. */
const describedMax = 100

/** What a role is to call. Without `workflows` it keeps those that it has. */
export interface WantedAccess {
  endpoints: readonly number[]
  /** Given, it counts instead of the list. */
  difference?: AccessDifference | undefined
  workflows?: readonly number[] | undefined
}

interface PlannedAccess {
  /** Ids of endpoints. */
  opened: number[]
  closed: number[]
  change: AccessChange
}

/** What a save would open and close. Throws on the field of what does not exist. */
export async function planAccess(
  stores: Stores,
  roleId: number,
  wanted: WantedAccess,
): Promise<PlannedAccess> {
  await existingRole(stores, roleId)
  const { access, workflowAccess } = stores
  const { opened, closed, unknown } = await differenceOfEndpoints(stores, roleId, wanted)
  const held = (await workflowAccess.listOf(roleId)).map(({ id }) => id)
  const workflows = differenceOf(await workflowAccess.list(), held, wanted.workflows ?? held)
  if (unknown.length > 0 || !workflows) {
    throw fieldError({
      ...(unknown.length > 0 ? { endpoints: ['Choose endpoints from the list.'] } : {}),
      ...(workflows ? {} : { workflows: ['Choose workflows from the list.'] }),
    })
  }
  const describe = async (ids: readonly number[]) =>
    (await access.describeEndpoints(ids, describedMax)).map(toAccessEndpoint)
  const change = {
    opened: await describe(opened),
    closed: await describe(closed),
    opened_count: opened.length,
    closed_count: closed.length,
    opened_workflows: workflows.opened,
    closed_workflows: workflows.closed,
    users_count: await stores.roles.countUsers(roleId),
  }
  return { opened, closed, change }
}

async function differenceOfEndpoints(
  { access }: Stores,
  roleId: number,
  { endpoints, difference }: WantedAccess,
) {
  const held = new Set(await access.listEndpointIdsOf(roleId))
  const wanted = difference
    ? held
        .union(new Set(await access.listIdsOfApis(difference.add_apis)))
        .difference(new Set(await access.listIdsOfApis(difference.remove_apis)))
        .union(new Set(difference.add))
        .difference(new Set(difference.remove))
    : new Set(endpoints)
  const named = new Set(difference ? difference.add : endpoints).difference(held)
  const unknown = await access.listUnknown([...named])
  return {
    opened: [...wanted.difference(held)],
    closed: [...held.difference(wanted)],
    unknown,
  }
}

/** Undefined where something wanted is not in the list. */
function differenceOf(
  list: readonly AccessWorkflow[],
  heldIds: readonly number[],
  wantedIds: readonly number[],
): { opened: AccessWorkflow[]; closed: AccessWorkflow[] } | undefined {
  const all = new Map(list.map((each) => [each.id, each]))
  if (wantedIds.some((id) => !all.has(id))) return undefined
  const held = new Set(heldIds)
  const wanted = new Set(wantedIds)
  const pick = (ids: ReadonlySet<number>) => [...ids].map((id) => all.get(id)!)
  return { opened: pick(wanted.difference(held)), closed: pick(held.difference(wanted)) }
}

export function toAccessEndpoint(endpoint: EndpointSummary): AccessEndpoint {
  const { id, description, summary, method_type, path, api, api_id } = endpoint
  return { id, description, summery: summary, method_type, path, api, api_id }
}
