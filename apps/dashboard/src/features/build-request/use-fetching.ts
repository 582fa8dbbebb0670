import { useRef, useState } from 'react'
import { stringifyExact, type ExactJson } from '@gatehouse/contract/mapping'
import { CallError, messageOf } from '../../lib/call-error.ts'
import { firstMessages, useFocusFirstError } from '../../lib/field-errors.ts'
import { notifyError, notifySuccess } from '../../lib/notify.tsx'
import { fetchData } from './build-request-queries.ts'
import { useExchange } from './use-exchange.ts'

/** The fetched JSON, and where and when it came from. */
export interface Fetched {
  data: ExactJson
  /** Pretty-printed, numbers as they came. */
  text: string
  source: string
}

/** Get: its fields' errors, its progress, and the data of the last one that went well. */
export function useFetching() {
  const card = useRef<HTMLFieldSetElement>(null)
  const focusFirstError = useFocusFirstError(card)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [fetched, setFetched] = useState<Fetched>()
  const { exchange, isWorking, start, cancel } = useExchange()

  function handleGet(
    input: { endpoint: string | null; body: string; token: string },
    endpointName: string,
  ) {
    if (!isWorking) setErrors({})
    void start((signal) => fetchData(input, signal), {
      onDone: ({ message, data }) => {
        const source = `${endpointName} · ${new Date().toLocaleTimeString()}`
        setFetched({ data, text: stringifyExact(data, 2), source })
        notifySuccess(message)
      },
      onFailed: (error) => {
        notifyError(messageOf(error))
        if (!(error instanceof CallError)) return
        setErrors(firstMessages(error.errors))
        focusFirstError()
      },
    })
  }

  const clearError = (field: string) => setErrors(({ [field]: _, ...rest }) => rest)
  return { card, errors, clearError, exchange, isWorking, fetched, handleGet, cancel }
}
