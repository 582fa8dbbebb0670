import { useSyncExternalStore } from 'react'
import { CallError } from '../calls/call-error.ts'

/** Asks whether something is sent although a backup was restored since. */
export interface HeldQuestion {
  answer: (isConfirmed: boolean) => void
}

let open: HeldQuestion | undefined
const listeners = new Set<() => void>()

function set(question: HeldQuestion | undefined) {
  open = question
  for (const listener of listeners) listener()
}

/** The question that waits for an answer. The shell shows it. */
export const useHeldQuestion = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => open,
  )

function ask(): Promise<boolean> {
  open?.answer(false)
  return new Promise((resolve) => {
    set({
      answer: (isConfirmed) => {
        set(undefined)
        resolve(isConfirmed)
      },
    })
  })
}

/**
 * Sends; where the installation is held, asks the user and sends once more with the confirmation. Rejects with
 * the refusal where the user does not confirm.
 */
export async function confirmingHeld<T>(
  send: (confirmed: { confirm_held?: true }) => Promise<T>,
): Promise<T> {
  try {
    return await send({})
  } catch (error) {
    const isHeld = error instanceof CallError && error.code === 'installation.held'
    if (!isHeld || !(await ask())) throw error
    return send({ confirm_held: true })
  }
}
