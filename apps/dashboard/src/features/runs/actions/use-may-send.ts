import type { Permission, RunDetail, RunKind } from '@gatehouse/contract'
import { useCan } from '../../../lib/session/session.tsx'

const sendPermissions = {
  build: 'request.send',
  tax: 'tax.send',
  credit: 'credit.send',
  general: 'workflow.run',
  call: 'run.release',
} as const satisfies Record<RunKind, Permission>

/** Whether this person may send a run on, once its unknown step is settled. */
export function useMaySend({ kind, is_test }: Pick<RunDetail, 'kind' | 'is_test'>): boolean {
  const can = useCan()
  return can('run.resume') && can(sendPermissions[kind]) && (!is_test || can('tax.test'))
}
