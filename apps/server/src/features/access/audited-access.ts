import type { AccessWorkflow } from '@gatehouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { Stores } from '../../stores.ts'

export type EndpointSummary = Awaited<ReturnType<Stores['access']['listEndpoints']>>[number]

export async function existingRole({ roles }: Stores, id: number) {
  const role = await roles.find(id)
  if (!role) throw new AppError('role.not_found')
  return role
}

export async function auditedAccess({ access, workflowAccess }: Stores, roleId: number) {
  return {
    endpoints: (await access.listEndpointsOf(roleId)).map(nameOf),
    workflows: (await workflowAccess.listOf(roleId)).map(nameOfWorkflow),
  }
}

const nameOf = ({ id, method_type, path, api }: EndpointSummary) =>
  `${api}: ${method_type.toUpperCase()} ${path} (#${id})`

const nameOfWorkflow = ({ id, slug }: AccessWorkflow) => `${slug} (#${id})`
