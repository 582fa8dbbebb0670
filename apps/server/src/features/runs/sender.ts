import { AppError } from '../../kernel/app-error.ts'
import { can, type Caller } from '../../kernel/caller.ts'
import { refuseUnlessTester } from './bundle-service.ts'
import { sendPermission } from './may-still-send.ts'
import type { StoredRun } from './open-run.ts'

/** Throws 403 for those who could not have sent the run: nobody sends by going on with one either. */
export function refuseUnlessSender({ run }: StoredRun, caller: Caller): void {
  const permission = sendPermission[run.kind]
  if (!can(caller, permission)) {
    throw new AppError('permission.denied', {
      message: `You do not have permission to do this (${permission}).`,
    })
  }
  refuseUnlessTester(run.is_test === 1, caller)
}
