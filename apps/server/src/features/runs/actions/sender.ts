import type { Permission } from '@gatehouse/contract'
import { AppError } from '../../../kernel/app-error.ts'
import { can, type Caller } from '../../../kernel/caller.ts'
import { sendPermission } from '../ledger/may-still-send.ts'
import type { StoredRun } from '../ledger/open-run.ts'

/** Throws 403 where the caller may not send such a run: continuing a run sends too. */
export function refuseUnlessSender(stored: StoredRun, caller: Caller): void {
  const lacking = lackingToSend(stored, caller)
  if (lacking) throw new AppError('permission.denied', { message: lackingWords(lacking) })
}

/** The permission that the caller lacks to send the run: of its workflow, or by its kind; and to test. */
export function lackingToSend({ run }: StoredRun, caller: Caller): Permission | undefined {
  const isWorkflow = run.workflow_id !== null
  const needed: Permission[] = [isWorkflow ? 'workflow.run' : sendPermission[run.kind]]
  if (run.is_test === 1) needed.push('tax.test')
  return needed.find((permission) => !can(caller, permission))
}

export const lackingWords = (permission: Permission) =>
  `You do not have permission to do this (${permission}).`
