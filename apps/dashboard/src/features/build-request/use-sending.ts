import { useEffect, useState } from 'react'
import { messageOf } from '../../lib/calls/call-error.ts'
import { notifyError, notifyInfo, notifySuccess } from '../../lib/page/notify.tsx'
import type { Doubt } from '../../entities/run/repeat-dialog.tsx'
import { sendData } from './build-request-queries.ts'
import type { EngineLink } from './engine-link.ts'
import { settleSend } from './kept-form.ts'
import { verdictOf } from './send-verdict.ts'
import { useExchange } from './use-exchange.ts'
import { useFieldErrors } from '../../lib/forms/use-field-errors.ts'
import type { useKeptForm } from './use-kept-form.ts'

interface SendInput {
  endpoint: string | null
  endpointName: string
  /** The fetched JSON as text; blank while there is none. */
  fetched: string
  second: string
  token: string
}

/**
 * Send: its fields' errors and its progress. Until its outcome is certain it stands in the kept
 * form, so that neither a reload nor leaving the screen makes anybody forget it (spec: idempotency).
 */
export function useSending(
  { userId, form: { openSend }, update }: ReturnType<typeof useKeptForm>,
  engine: EngineLink,
) {
  const { errors, attachForm, showErrors, clearError, clearErrors } = useFieldErrors()
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
    clearErrors()
    setDoubt(undefined)
    const startedAt = new Date().toISOString()
    update({ openSend: { endpoint: input.endpointName, startedAt } })
    void start(() => sendData(input, engine), {
      onDone: ({ message, run }) => {
        settle()
        setAccepted(input)
        if (run?.state === 'pending') notifyInfo(message)
        else notifySuccess(message)
      },
      onFailed: (error) => {
        if (verdictOf(error, 'send').kind !== 'unknown') settle()
        notifyError(messageOf(error))
        showErrors(error)
      },
    })
  }

  function settle() {
    settleSend(userId)
    update({ openSend: null })
  }

  return {
    errors,
    attachForm,
    clearError,
    exchange,
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

export type Sending = ReturnType<typeof useSending>

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
