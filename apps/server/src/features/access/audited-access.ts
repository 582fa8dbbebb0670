import type { AccessWorkflow } from '@gatehouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { Stores } from '../../stores.ts'

export type EndpointSummary = Awaited<ReturnType<Stores['access']['listEndpointsOf']>>[number]

export async function existingRole({ roles }: Stores, id: number) {
  const role = await roles.find(id)
  if (!role) throw new AppError('role.not_found')
  return role
}

/** Where a role has more endpoints, an event names those that it opened and closed alone, up to the second number. */
const [wholeMax, namedMax] = [500, 1_000]

/** What an event of this change names before and after: ids of endpoints, or undefined for all that the role has. */
export async function auditedPart(
  { access }: Stores,
  roleId: number,
  { opened, closed }: { opened: readonly number[]; closed: readonly number[] },
): Promise<number[] | undefined> {
  const count = (await access.countEndpointsOf(roleId)) + opened.length
  return count <= wholeMax ? undefined : [...opened, ...closed].slice(0, namedMax)
}

/** With a `part`, the endpoints among these, and how many there are in all. */
export async function auditedAccess(
  { access, workflowAccess }: Stores,
  roleId: number,
  part: readonly number[] | undefined,
) {
  return {
    endpoints: (await access.listEndpointsOf(roleId, part)).map(nameOf),
    ...(part ? { endpoints_count: await access.countEndpointsOf(roleId) } : {}),
    workflows: (await workflowAccess.listOf(roleId)).map(nameOfWorkflow),
  }
}

const nameOf = ({ id, method_type, path, api }: EndpointSummary) =>
  `${api}: ${method_type.toUpperCase()} ${path} (#${id})`

const nameOfWorkflow = ({ id, slug }: AccessWorkflow) => `${slug} (#${id})`
