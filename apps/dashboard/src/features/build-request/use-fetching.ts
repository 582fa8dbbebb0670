import { useState } from 'react'
import { messageOf } from '../../lib/calls/call-error.ts'
import { notifyError, notifySuccess } from '../../lib/page/notify.tsx'
import { fetchData } from './build-request-queries.ts'
import type { EngineLink } from './engine-link.ts'
import { useExchange } from './use-exchange.ts'
import { useFieldErrors } from '../../lib/forms/use-field-errors.ts'
import { locale } from '../../lib/format/language.ts'

/** The fetched JSON, and where and when it came from. */
export interface Fetched {
  /** Pretty-printed, numbers as they came. */
  text: string
  /** The same in one line. */
  json: string
  source: string
}

interface FetchRequest {
  endpoint: string | null
  endpointName: string
  body: string
  token: string
}

/** Get: its fields' errors, its progress, and the data of the last one that went well. */
export function useFetching(engine: EngineLink) {
  const { errors, attachForm, showErrors, clearError, clearErrors } = useFieldErrors()
  const [fetched, setFetched] = useState<Fetched>()
  const { exchange, isWorking, start, cancel } = useExchange()

  function handleGet(request: FetchRequest) {
    if (isWorking) return
    clearErrors()
    void start((signal) => fetchData(request, engine, signal), {
      onDone: ({ message, text, json }) => {
        const source = `${request.endpointName} · ${new Date().toLocaleTimeString(locale)}`
        setFetched({ text, json, source })
        notifySuccess(message)
      },
      onFailed: (error) => {
        notifyError(messageOf(error))
        showErrors(error)
      },
    })
  }

  return { errors, attachForm, clearError, exchange, fetched, handleGet, handleCancel: cancel }
}

export type Fetching = ReturnType<typeof useFetching>
