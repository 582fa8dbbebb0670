import type { Permission, RunKind } from '@gatehouse/contract'
import { AppError } from '../../../kernel/app-error.ts'
import type { Stores } from '../../../stores.ts'
import type { LiveRun } from './reading/live-run.ts'
import type { PlannedStep } from '../steps/plan-steps.ts'

/** The permission to send a run of a kind. */
export const sendPermission = {
  build: 'request.send',
  tax: 'tax.send',
  credit: 'credit.send',
  general: 'workflow.run',
  call: 'run.release',
} as const satisfies Record<RunKind, Permission>

/**
 * Checks again, inside the transaction that claims a step, whether it may be sent: minutes may have
 * passed since the request was accepted. Throws an AppError that says what has changed: the user,
 * the endpoint or its API.
 */
export async function refuseUnlessStillAllowed(
  stores: Pick<Stores, 'access'>,
  live: Sender,
  plan: PlannedStep,
): Promise<void> {
  refuseWithoutRight(await findRight(stores, live, plan), live, plan)
}

type Sender = Pick<LiveRun, 'caller' | 'kind' | 'isTest' | 'workflowId'>

/** What `refuseWithoutRight` judges. */
export const findRight = (
  { access }: Pick<Stores, 'access'>,
  { caller, workflowId }: Pick<Sender, 'caller' | 'workflowId'>,
  { target }: PlannedStep,
) => access.findSendRight(caller.user.id, target.endpointId, workflowId)

export function refuseWithoutRight(
  right: Awaited<ReturnType<typeof findRight>>,
  live: Sender,
  plan: PlannedStep,
): void {
  const { user } = live.caller
  const { workflowId } = live
  if (!right) throw denied('The account that sends this no longer exists.')
  const { endpoint_status, api_status, api_name } = right
  if (endpoint_status === null) throw gone('The endpoint was deleted.')
  if (endpoint_status !== 'active') throw gone('This endpoint is disabled.')
  if (api_status !== 'active') throw gone(`The API of this endpoint (${api_name}) is disabled.`)
  if (workflowId !== undefined && right.workflows === 0) throw gone('This workflow was deleted.')
  if (right.super_admins > 0) return
  const held = (right.permissions ?? '').split(' ')
  const lacking = permissionsFor(live, plan).find((any) => !any.some((name) => held.includes(name)))
  if (lacking)
    throw denied(`${user.name} does not have the permission to send this (${lacking[0]}).`)
  if (right.accesses > 0) return
  if (workflowId === undefined) throw denied(`No role of ${user.name} has access to this endpoint.`)
  if (!held.includes('workflow.run'))
    throw denied(`No role of ${user.name} has access to this workflow.`)
}

/** One permission of each group is needed. The permission to fetch is enough for a read. */
function permissionsFor(
  { kind, isTest, workflowId }: Pick<LiveRun, 'kind' | 'isTest' | 'workflowId'>,
  { effect }: PlannedStep,
): Permission[][] {
  // Access is enough: machines hold no permissions.
  if (kind === 'call') return []
  if (workflowId !== undefined) return isTest ? [['tax.test']] : []
  const send: Permission[] = [sendPermission[kind]]
  if (kind === 'build' && effect === 'read') send.push('request.fetch')
  return isTest ? [send, ['tax.test']] : [send]
}

const denied = (message: string) => new AppError('permission.denied', { message })
const gone = (message: string) => new AppError('request.invalid', { message })
