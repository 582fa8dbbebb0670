import type { RunState } from '@gatehouse/contract'
import { AppError } from '../../../kernel/app-error.ts'
import { can, type Caller } from '../../../kernel/caller.ts'
import type { CallContext } from '../../../kernel/mount.ts'
import type { Stores } from '../../../stores.ts'
import { auditAction } from '../../runs/actions/audit-action.ts'
import type { RunRow } from '../../runs/ledger/run-store.ts'
import { holdWaiting } from '../../runs/release/decide-release.ts'

export interface Release {
  /** What the person has seen (`ReleasePreview.content`). */
  content: string
  note: string
  /** The person knows of the hold after a restore. Of use to a call alone: a lane that is held sends nothing. */
  confirm_held: boolean
}

interface Decision {
  decision: 'released' | 'refused'
  /** Of the run from then on. */
  state: RunState
  note: string
  now: string
}

/** Stores who decided what. Throws a 403 for the owner of the token, a 409 where another was first. */
export async function decide(
  stores: Stores,
  runId: number,
  { decision, state, note, now }: Decision,
  context: CallContext,
) {
  const { run, release } = await holdWaiting(stores, runId)
  const refusal = refusalOf(run, context.caller)
  if (refusal) throw refusal
  const { id, name } = context.caller.user
  const by = { id, name }
  await stores.releases.decide(runId, { decision, at: now, by, note: note || null })
  await auditAction(stores, context, run, {
    action: decision === 'released' ? 'run.release' : 'run.refuse',
    step: null,
    before: { run_state: run.state },
    after: {
      run_state: state,
      asked_by: release.asked_by,
      note: note || null,
    },
  })
  return { ...run, orderKey: release.order_key }
}

/** Two persons: one has the token, another releases what was sent with it. */
export function refusalOf(run: RunRow, caller: Caller): AppError | null {
  if (!can(caller, 'run.release'))
    return new AppError('permission.denied', {
      message: 'You do not have permission to do this (run.release).',
    })
  return run.user_id === caller.user.id ? new AppError('run.own_release') : null
}

export function refuseOther(seen: string, current: string): void {
  if (seen === current) return
  throw new AppError('run.not_releasable', {
    message: 'What would be sent has changed. Look at it again.',
  })
}

/** What is planned to be shown needs no right: that of the run's user is checked when it is sent. */
export function reachingAll({ user_id, user_name }: RunRow): Caller {
  const unused = { email: '', username: '', roles: [], role: '', permissions: [] }
  return { user: { ...unused, id: user_id, name: user_name }, isSuperAdmin: true }
}
