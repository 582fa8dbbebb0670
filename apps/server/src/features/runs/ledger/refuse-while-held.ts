import { AppError } from '../../../kernel/app-error.ts'
import type { Stores } from '../../../stores.ts'

interface Sending {
  steps: readonly { effect: string; isDry: boolean }[]
  /** The user knows that it may have been sent already. */
  confirmsHeld: boolean
}

/** Throws a 409 where the installation is held, unless nothing that changes something is sent. */
export async function refuseWhileHeld(
  { installationHold }: Pick<Stores, 'installationHold'>,
  { steps, confirmsHeld }: Sending,
): Promise<void> {
  if (confirmsHeld || steps.every(({ effect, isDry }) => effect === 'read' || isDry)) return
  const hold = await installationHold.find()
  if (!hold) return
  const { backup_made_at, held_since } = hold
  throw new AppError('installation.held', { extra: { hold: { backup_made_at, held_since } } })
}
