import { AppError } from '../../../kernel/app-error.ts'
import type { Stores } from '../../../stores.ts'

interface Sending {
  steps: readonly { effect: string; isDry: boolean }[]
  /** The user knows that it may have been sent already. */
  confirmsHeld: boolean
}

/** Throws a 409 where the installation is held, unless nothing that changes something is sent. */
export async function refuseWhileHeld(stores: HoldStore, sending: Sending): Promise<void> {
  refuseHeld(await findHoldOf(stores, sending))
}

type HoldStore = Pick<Stores, 'installationHold'>
type Hold = Awaited<ReturnType<Stores['installationHold']['find']>>

/** The hold that this may not be sent in; undefined where there is none. */
export async function findHoldOf(
  { installationHold }: HoldStore,
  { steps, confirmsHeld }: Sending,
): Promise<Hold> {
  if (confirmsHeld || steps.every(({ effect, isDry }) => effect === 'read' || isDry))
    return undefined
  return installationHold.find()
}

export function refuseHeld(hold: Hold): void {
  if (!hold) return
  const { reason, backup_made_at, held_since } = hold
  throw new AppError('installation.held', {
    ...(reason === 'older_database' ? { message: olderDatabase } : {}),
    extra: { hold: { reason, backup_made_at, held_since } },
  })
}

const olderDatabase =
  'The database is older than what was sent, so this may have been sent already. Check at the authority, then confirm to send it.'
