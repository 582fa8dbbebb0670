import { useState } from 'react'
import { CallError } from '../../../lib/calls/call-error.ts'

export interface RegisterQuestion {
  /** How many documents stay, and what that means. */
  message: string
  answer: (isConfirmed: boolean) => void
}

/**
 * Saves; where documents stay in the register that the API leaves, asks and saves once more with the confirmation.
 * Rejects with the refusal where the user does not confirm.
 */
export function useRegisterChange() {
  const [question, setQuestion] = useState<RegisterQuestion>()
  const ask = (message: string) =>
    new Promise<boolean>((resolve) => {
      setQuestion({
        message,
        answer: (isConfirmed) => {
          setQuestion(undefined)
          resolve(isConfirmed)
        },
      })
    })
  async function confirming<T>(
    save: (confirmed: { confirm_register?: true }) => Promise<T>,
  ): Promise<T> {
    try {
      return await save({})
    } catch (error) {
      const isAsked = error instanceof CallError && error.code === 'api.register_change'
      if (!isAsked || !(await ask(error.errors['document_register']?.[0] ?? error.message)))
        throw error
      return save({ confirm_register: true })
    }
  }
  return { question, confirming }
}
