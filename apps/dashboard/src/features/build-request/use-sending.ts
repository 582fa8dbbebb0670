import { useEffect, useRef, useState } from 'react'
import type { ExactJson } from '@gatehouse/contract/mapping'
import { CallError, messageOf } from '../../lib/call-error.ts'
import { firstMessages, useFocusFirstError } from '../../lib/field-errors.ts'
import { notifyError, notifySuccess } from '../../lib/notify.tsx'
import { sendData } from './build-request-queries.ts'
import { settleSend, type KeptForm } from './kept-form.ts'
import { verdictOf } from './send-verdict.ts'
import { useExchange } from './use-exchange.ts'

export interface SendInput {
  endpoint: string | null
  endpointName: string
  fetched: ExactJson | undefined
  second: string
  token: string
}

/** Why a Send is asked about before it goes out: it may be the second of its kind. */
export type Doubt = 'unknown' | 'repeat'

/**
 * Send: its fields' errors and its progress. Until its outcome is certain it stands in the kept
 * form, so that neither a reload nor leaving the screen makes anybody forget it (RUNS.md).
 */
export function useSending(
  userId: number,
  { openSend }: KeptForm,
  update: (changed: Partial<KeptForm>) => void,
) {
  const card = useRef<HTMLFieldSetElement>(null)
  const focusFirstError = useFocusFirstError(card)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [accepted, setAccepted] = useState<SendInput>()
  const [doubt, setDoubt] = useState<{ kind: Doubt; input: SendInput }>()
  const { exchange, isWorking, start, reset } = useExchange()
  useLeaveWarning(isWorking)

  function handleSend(input: SendInput) {
    if (isWorking) return
    if (openSend) setDoubt({ kind: 'unknown', input })
    else if (accepted && isSame(accepted, input)) setDoubt({ kind: 'repeat', input })
    else send(input)
  }

  function send(input: SendInput) {
    setErrors({})
    setDoubt(undefined)
    const startedAt = new Date().toISOString()
    update({ openSend: { endpoint: input.endpointName, startedAt } })
    void start(() => sendData(input), {
      onDone: ({ message }) => {
        settle()
        setAccepted(input)
        notifySuccess(message)
      },
      onFailed: (error) => {
        if (verdictOf(error, 'send').kind !== 'unknown') settle()
        notifyError(messageOf(error))
        if (!(error instanceof CallError)) return
        setErrors(firstMessages(error.errors))
        focusFirstError()
      },
    })
  }

  function settle() {
    settleSend(userId)
    update({ openSend: null })
  }

  return {
    card,
    errors,
    clearError: (field: string) => setErrors(({ [field]: _, ...rest }) => rest),
    exchange,
    isWorking,
    doubt,
    handleSend,
    handleConfirm: () => doubt && send(doubt.input),
    handleDismiss: () => setDoubt(undefined),
    /** The person has looked what became of it. */
    handleChecked: () => {
      settle()
      reset()
    },
  }
}

function isSame(a: SendInput, b: SendInput) {
  return a.endpoint === b.endpoint && a.fetched === b.fetched && a.second === b.second
}

/** Asks before a reload, while the answer to what was sent is still awaited. */
function useLeaveWarning(isWorking: boolean) {
  useEffect(() => {
    if (!isWorking) return undefined
    const handleUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', handleUnload)
    return () => window.removeEventListener('beforeunload', handleUnload)
  }, [isWorking])
}
