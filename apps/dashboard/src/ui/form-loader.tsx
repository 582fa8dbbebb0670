import type { UseQueryResult } from '@tanstack/react-query'
import { Fragment, useState, type ReactNode } from 'react'
import { messageOf } from '../lib/call-error.ts'
import { notifyError } from '../lib/notify.tsx'
import { FormHold } from './form-hold.ts'
import { QueryLoader } from './query-loader.tsx'

interface FormLoaderProps<Data> {
  query: UseQueryResult<Data>
  /** The text for a form whose record cannot be loaded. */
  failureText: string
  /** Renders the form; `reload` fetches the record and replaces what was typed. */
  children: (data: Data, reload: () => void) => ReactNode
}

/**
 * Loading, then the form or an error text. A refresh of the query replaces the content of an untouched
 * form. A form with unsaved changes keeps its content, and the version that a save is checked
 * against, until it is saved or the user reloads it. A failed refresh changes nothing.
 */
export function FormLoader<Data>({ query, failureText, children }: FormLoaderProps<Data>) {
  return (
    <QueryLoader query={query} failureText={failureText}>
      {(data) => (
        <HeldForm query={query} data={data} failureText={failureText}>
          {children}
        </HeldForm>
      )}
    </QueryLoader>
  )
}

interface HeldFormProps<Data> extends FormLoaderProps<Data> {
  data: Data
}

function HeldForm<Data>({ query, data, failureText, children }: HeldFormProps<Data>) {
  const [isUnsaved, setIsUnsaved] = useState(false)
  const [held, setHeld] = useState({ data, at: query.dataUpdatedAt })
  if (!isUnsaved && held.at !== query.dataUpdatedAt) setHeld({ data, at: query.dataUpdatedAt })

  async function reload() {
    const result = await query.refetch()
    if (result.isSuccess) setHeld({ data: result.data, at: result.dataUpdatedAt })
    else notifyError(failureText, messageOf(result.error))
  }
  return (
    <FormHold value={setIsUnsaved}>
      <Fragment key={held.at}>{children(held.data, () => void reload())}</Fragment>
    </FormHold>
  )
}
