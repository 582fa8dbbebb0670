import { allOf } from '../../../db/all-of.ts'
import { refuseWithout, type Caller } from '../../../kernel/caller.ts'
import type { Stores } from '../../../stores.ts'

/**
 * Whether the caller may start runs of a workflow: a token needs access by one of its user's roles, a
 * session the permission (403 without). `checked` is the check of the caller that goes on beside.
 */
export async function mayRun(
  { workflowAccess }: Pick<Stores, 'workflowAccess'>,
  workflowId: number,
  caller: Caller,
  checked: Promise<void> = Promise.resolve(),
): Promise<boolean> {
  if (caller.tokenId === undefined) {
    await checked
    refuseWithout(caller, 'workflow.run')
    return true
  }
  const [isGiven] = await allOf([workflowAccess.holdAccess(workflowId, caller.user.id), checked])
  return isGiven || caller.isSuperAdmin
}
